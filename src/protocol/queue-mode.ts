/** How many messages one drain takes: the single oldest, or all (spec G7). */
export type QueueMode = "one-at-a-time" | "all";

/** The two queues (spec G5, G6). */
export type QueueName = "steering" | "followUp";
