import { Command } from "commander";
import { act, withConnection } from "./context.ts";
import { columnsOf } from "./paint.ts";

export function whoamiCommand(): Command {
  return withConnection(new Command("whoami"))
    .description("show which account and which scopes the key has")
    .action(
      act(async (context) => {
        const { data } = await (await context.api()).call("GET", "/auth/whoami");
        context.show(data, () =>
          columnsOf([
            ["service", context.url],
            ["account", `${data.account_number} (${data.account_type}, ${data.country_code})`],
            ["reaches", data.environments.join(", ")],
            ["scopes", data.scopes.join(" ")],
            ["until", data.expires_at ?? "revoked"],
          ]),
        );
      }),
    );
}
