export { toolBatchMachine } from "./tool-batch.ts";
export { traceMachine } from "./trace.ts";
