-- A developer can have the receiver of a sandbox endpoint simulated (Decision 0102). Not breaking:
-- an older version that still runs sends to the network as before.
set local lock_timeout = '5s';

alter table webhook_endpoints
  add column simulated_receiver text,
  add column simulated_until timestamptz(3),
  add constraint simulated_receiver_is_known
    check (simulated_receiver in ('ok', 'error', 'timeout', 'gone')) not valid,
  add constraint a_simulation_ends
    check ((simulated_receiver is null) = (simulated_until is null)) not valid,
  add constraint only_the_sandbox_is_simulated
    check (simulated_receiver is null or environment = 'sandbox') not valid;
alter table webhook_endpoints
  validate constraint simulated_receiver_is_known,
  validate constraint a_simulation_ends,
  validate constraint only_the_sandbox_is_simulated;
comment on column webhook_endpoints.simulated_receiver is
  'Until simulated_until, deliveries are answered so instead of being sent.';
