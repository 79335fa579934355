import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Receipt } from "../runtime/admission.ts";

/** A receipt, with the messages that the command handed back from a queue. */
export interface CommandReceipt extends Receipt {
  readonly returned: readonly AgentMessage[];
}
