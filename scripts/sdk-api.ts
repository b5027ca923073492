/**
 * The generated files of the SDK, made from the routes themselves, as `/openapi.json` shows them
 * with nothing set: no server is needed.
 */

import { renderApiOperations, renderApiTypes, renderNames } from "../sdk/scripts/render-api.ts";
import { appRoutes } from "../src/app.ts";
import { readConfig } from "../src/infra/config.ts";
import { openapiOf } from "../src/site/openapi/openapi.ts";

/** By their place in the project. */
export async function renderSdkApi(): Promise<Readonly<Record<string, string>>> {
  const config = readConfig({});
  // Nobody who begins now should meet the paths of 1.x.
  const routes = appRoutes({ config }).filter(
    ({ isHidden, successors }) => !isHidden && successors === undefined,
  );
  const document = openapiOf(routes, config);
  return {
    "sdk/src/api-types.ts": await renderApiTypes(document),
    "sdk/src/api-operations.ts": renderApiOperations(document),
    "sdk/src/verify/names.ts": renderNames(document),
  };
}
