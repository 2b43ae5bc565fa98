import { type Path, pathText } from "./place.ts";

/** Keys that are planned and do not work yet, by where they stand. They are refused by name, so that nobody relies on them. */
const KEYS: { readonly [place: string]: readonly string[] | undefined } = {
  "": ["waivers"],
  "rules[]": ["when", "message", "approve"],
  "rules[].limit": ["missed-savings", "anomalies", "governance-failures", "unit-cost"],
};

/** Values that are planned and do not work yet. */
const VALUES: { readonly [place: string]: readonly string[] | undefined } = {
  "comment.mode": ["new", "hide-and-new", "delete-and-new"],
};

export const isPlannedKey = (path: Path, key: string): boolean =>
  KEYS[placeText(path)]?.includes(key) ?? false;

export const isPlannedValue = (path: Path, value: unknown): boolean =>
  VALUES[placeText(path)]?.some((planned) => planned === value) ?? false;

const placeText = (path: Path): string => pathText(path).replaceAll(/\[\d+\]/g, "[]");
