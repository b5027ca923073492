/** Why a simulation is refused: the state of its object, and the states that would do. */

import { ServiceError } from "../../kit/errors.ts";

/** Nothing has changed. */
export class SimulationRefused extends ServiceError {
  /** `what`: what was asked for. `needs`: the states in which it can be simulated. */
  constructor(what: string, needs: readonly string[], butIs: string) {
    const needed = new Intl.ListFormat("en", { type: "disjunction" }).format(needs);
    super("simulation_refused", {
      message: `${what} can be simulated while the state is ${needed}: ${butIs}.`,
    });
  }
}

/** The simulated bank had decided before, and what it decided stays. */
export class DecidedOtherwise extends ServiceError {
  /** `did`: what the bank did, such as "approved it (00)". */
  constructor(outcome: string, did: string) {
    const tooLate = `The outcome ${outcome} cannot be simulated any more`;
    super("simulation_refused", { message: `${tooLate}: the bank has already ${did}.` });
  }
}
