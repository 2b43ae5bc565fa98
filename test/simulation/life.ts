import { AsyncLocalStorage } from "node:async_hooks";

/** One life of a process of the bot, from its start to its crash. What it awaits when it crashes never ends. */
export interface Life {
  isOver: boolean;
}

/** The life that the code belongs to that asks. */
export const currentLife = new AsyncLocalStorage<Life>();
