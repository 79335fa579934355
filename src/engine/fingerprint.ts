import { toolBatchMachine } from "../../machines/tool-batch.ts";
import { traceMachine } from "../../machines/trace.ts";
import { digest } from "../protocol/canonical.ts";
import { type Chart, type ChartTransition, nodesOf } from "./chart.ts";

let known: string | undefined;

/** A hash of what the machines are: states, events, guards, actions and targets. It changes when their behaviour may. */
export function machinesFingerprint(): string {
  known ??= digest([traceMachine, toolBatchMachine].map((machine) => shapeOf(machine as unknown as Chart)));
  return known;
}

function shapeOf(chart: Chart): unknown {
  return nodesOf(chart.root).map((node) => ({
    id: node.id,
    initial: node.initial.target?.[0]?.id ?? null,
    entry: node.entry,
    exit: node.exit,
    on: [...node.transitions].map(([type, transitions]) => [type, transitions.map(transitionShape)]),
    always: (node.always ?? []).map(transitionShape),
  }));
}

function transitionShape(transition: ChartTransition): unknown {
  return [transition.guard ?? null, transition.target?.map((node) => node.id) ?? null, transition.actions];
}
