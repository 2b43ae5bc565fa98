import { z } from "zod";
import { count, decimal, money, texts } from "./scalars.ts";

const ofPull = {
  pull: z.object({
    repository: z.string(),
    number: z.int(),
    title: z.string(),
    author: z.string().nullable(),
  }),
  changes: z
    .array(z.object({ currency: z.string(), change: decimal.nullable(), isPartial: z.boolean() }))
    .nullable(),
};

const rules = {
  rules: z.array(
    z.object({
      rule: z.string(),
      message: z.string().nullable(),
      money: z.object({ measured: money, limit: money }).nullable(),
    }),
  ),
  moreRules: count,
};

const trouble = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("evaluation"), repository: z.string().nullable(), number: z.int().nullable() }),
  z.object({ kind: z.literal("part"), part: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("target"), target: z.string(), reason: z.string() }),
]);

export const notification = z.discriminatedUnion("event", [
  z.object({ event: z.literal("blocked"), ...ofPull, ...rules }),
  z.object({
    event: z.literal("approval-needed"),
    ...ofPull,
    approvers: z.array(
      z.object({
        rule: z.string(),
        teams: texts,
        users: texts,
        permission: z.string().nullable(),
        lacks: count,
      }),
    ),
  }),
  z.object({
    event: z.literal("approved"),
    ...ofPull,
    approvals: z.array(z.object({ approver: z.string(), upTo: money.nullable() })),
  }),
  z.object({ event: z.literal("merged-over-check"), ...ofPull, ...rules, check: z.string() }),
  z.object({
    event: z.literal("estimate-off"),
    pull: ofPull.pull,
    days: z.number(),
    totals: z.array(
      z.object({
        currency: z.string(),
        estimated: decimal,
        actual: decimal,
        percent: decimal.nullable(),
      }),
    ),
  }),
  z.object({
    event: z.literal("waiver-expiring"),
    repository: z.string(),
    rule: z.string(),
    lastDay: z.string(),
    reason: z.string(),
    owner: z.string(),
  }),
  z.object({
    event: z.literal("budget"),
    repository: z.string(),
    budget: z.string(),
    reached: z.union([z.literal(80), z.literal(100)]),
    used: money,
    limit: money,
  }),
  z.object({ event: z.literal("trouble"), trouble }),
  z.object({ event: z.literal("test"), target: z.string() }),
]);
