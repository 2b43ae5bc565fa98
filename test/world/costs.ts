/** A policy that a small increase passes and a large one does not. */
export const STRICT = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;
export const LAX = STRICT.replace("100 USD", "1000 USD");

/** Per month, in USD: within `STRICT`, and over it. */
export const CHEAP = { before: "10", after: "20", change: "10" };
export const EXPENSIVE = { before: "10", after: "510", change: "500" };
