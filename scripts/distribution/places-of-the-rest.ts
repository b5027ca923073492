/** Tables of events and their delivery, of mail, of the request log, and of the clock. */

import {
  DELIVERY,
  ENDPOINT,
  EVENT,
  everywhere,
  ofAccount,
  ofEachPart,
  ofFirstPart,
  type Places,
  through,
} from "./place.ts";

export const PLACES_OF_THE_REST: Places = {
  events: ofAccount("key with the account; the number is already one in each account"),
  event_feeds: ofAccount(),
  event_resends: ofAccount("number from a sequence for all; only its order in an account counts"),
  events_to_number: through(
    "event_id",
    [EVENT],
    "hot and shared: one sequence and one sequencer for all accounts; one in each part instead",
  ),
  notifications_due: through("event_id", [EVENT], "column; the sweep looks in every shard"),
  webhook_endpoints: ofAccount("key with the account"),
  webhook_deliveries: through("endpoint_id", [ENDPOINT], "column, key and references with it"),
  webhook_deliveries_to_make: through("endpoint_id", [ENDPOINT], "column and key with it"),
  webhook_attempts: through("delivery_id", [DELIVERY], "column, key and references with it"),
  logged_requests: ofAccount("none; partitions by day may be distributed as well"),
  mails: ofFirstPart("no account: mail goes to an address; column, or local beside the accounts"),
  mail_bounces: ofFirstPart("shared: an address may be of several accounts; reference table"),
  clock_shift: everywhere("reference table: read by every statement that asks for the time"),
  production_use: ofEachPart("each part says of itself that production uses it"),
  timeline_mark: ofEachPart("one row for each server: it says which primary a standby follows"),
};
