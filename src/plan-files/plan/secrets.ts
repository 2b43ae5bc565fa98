import { parseJson } from "../../kernel/parse-json.ts";
import { isSecretName, listPairedSecrets, SENSITIVE } from "../../kernel/redact-credentials.ts";
import { mapKeys } from "../address.ts";

/**
 * In characters. Shorter values are masked only where they are marked: they would match almost everywhere.
 */
const MIN_WHOLE = 4;
/** In characters. A value of at least this length is also masked inside longer texts. */
const MIN_INSIDE = 6;
/**
 * In characters. A secret of several lines (a key, a certificate) is also searched by lines of at least this
 * length.
 */
const MIN_LINE = 16;
const PREFIX = 4;
const WORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/**
 * The sensitive values of one plan. A value is masked where the plan marks it, and wherever the same value
 * occurs unmarked: as a whole text from 4 characters on; inside a longer text from 6 characters on, also in
 * base64, URL-encoded or inside a JSON text. Booleans and shorter values are not secrets on their own.
 */
export class Secrets {
  /** Values by prefix, then by length. Few lengths share a prefix, so a look-up needs one slice for each. */
  readonly #byPrefix = new Map<string, Map<number, Set<string>>>();
  /** Hashes of all prefixes: one look-up in this table rules out almost every position of a text. */
  readonly #filter = new Uint8Array(1 << 16);
  /** What masked keys became, by key. */
  readonly #maskedKeys = new Map<string, string>();
  /** The last number of keys that would read alike, by what they read. */
  readonly #numbers = new Map<string, number>();
  /** Texts that are no new mask of a key: other keys became these, or the plan has these keys itself. */
  readonly #takenKeys = new Set<string>();

  /** Adds every text and number in a value of any shape. */
  add(value: unknown): void {
    if (typeof value === "number" || typeof value === "bigint") this.#addText(String(value));
    else if (typeof value === "string") this.#addText(value);
    else if (typeof value === "object" && value !== null)
      for (const one of Object.values(value)) this.add(one);
  }

  maskText(text: string): string {
    if (this.#byPrefix.size === 0 || text.length < MIN_WHOLE) return text;
    let masked = "";
    let copied = 0;
    let at = 0;
    while (at + PREFIX <= text.length) {
      const length = this.#filter[computeHash(text, at)] === 1 ? this.#longestAt(text, at) : 0;
      if (length === 0 || (length < MIN_INSIDE && length !== text.length)) {
        at += 1;
        continue;
      }
      masked += text.slice(copied, at) + SENSITIVE;
      at += length;
      copied = at;
    }
    return copied === 0 ? text : masked + text.slice(copied);
  }

  /** Reserves an instance key that reads like a masked one: no other key becomes it. */
  reserveKey(key: string): void {
    if (key.includes(SENSITIVE)) this.#takenKeys.add(key);
  }

  /** Masks an instance key. Different keys stay different: those that would read alike are numbered. */
  maskKey(key: string): string {
    const masked = this.maskText(key);
    if (masked === key) return key;
    const known = this.#maskedKeys.get(key);
    if (known !== undefined) return known;
    let number = this.#numbers.get(masked) ?? 0;
    let own: string;
    do {
      number += 1;
      own = number === 1 ? masked : `${masked} ${number}`;
    } while (this.#takenKeys.has(own));
    this.#numbers.set(masked, number);
    this.#takenKeys.add(own);
    this.#maskedKeys.set(key, own);
    return own;
  }

  maskKeys(address: string): string {
    return mapKeys(address, (key) => this.maskKey(key));
  }

  /** Masks every sensitive value in a value of any shape, keys included. */
  maskValue(value: unknown): unknown {
    if (typeof value === "string") return this.maskText(value);
    if (typeof value === "number") return this.maskText(String(value)) === String(value) ? value : SENSITIVE;
    if (Array.isArray(value)) return value.map((one) => this.maskValue(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [this.maskText(key), this.maskValue(one)]),
    );
  }

  #addText(text: string): void {
    if (text.length < MIN_WHOLE || WORDS.has(text)) return;
    for (const form of listForms(text)) this.#index(form);
    if (!text.includes("\n")) return;
    for (const line of text.split("\n")) if (line.trim().length >= MIN_LINE) this.#index(line.trim());
  }

  #index(text: string): void {
    const prefix = text.slice(0, PREFIX);
    const lengths = this.#byPrefix.get(prefix) ?? new Map<number, Set<string>>();
    this.#byPrefix.set(prefix, lengths);
    const texts = lengths.get(text.length) ?? new Set<string>();
    lengths.set(text.length, texts.add(text));
    this.#filter[computeHash(text, 0)] = 1;
  }

  #longestAt(text: string, at: number): number {
    let longest = 0;
    for (const [length, texts] of this.#byPrefix.get(text.slice(at, at + PREFIX)) ?? []) {
      if (length > longest && texts.has(text.slice(at, at + length))) longest = length;
    }
    return longest;
  }
}

/** Returns the encodings in which a value may occur elsewhere in the plan. */
function listForms(text: string): ReadonlySet<string> {
  const forms = new Set([text]);
  const json = JSON.stringify(text).slice(1, -1);
  forms.add(json).add(JSON.stringify(json).slice(1, -1));
  if (text.length < MIN_INSIDE) return forms;
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  forms.add(btoa(binary)).add(btoa(binary).replace(/=+$/, ""));
  return forms.add(encodeURIComponent(text.toWellFormed()));
}

function computeHash(text: string, at: number): number {
  const low = text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 4);
  return (low ^ (text.charCodeAt(at + 2) << 8) ^ (text.charCodeAt(at + 3) << 12)) & 0xffff;
}

/** Masks the sensitive values of a plan in other texts, e.g. in an estimate of the same code. */
export interface PlanMask {
  mask(text: string): string;
  /** Masks the instance keys of an address. Different keys stay different. */
  maskKeys(address: string): string;
}

export const joinMasks = (masks: readonly PlanMask[]): PlanMask => ({
  mask: (text) => masks.reduce((masked, one) => one.mask(masked), text),
  maskKeys: (address) => masks.reduce((masked, one) => one.maskKeys(masked), address),
});

/**
 * A plan's sensitivity marks of a value: `true` for the whole value, otherwise the same shape with `true`
 * inside.
 */
export type SensitiveMarks = unknown;

/** A value with its marks. `byName`: they may lack what the provider calls secret, so names that suggest a secret mark too. */
export interface MarkedValue {
  readonly value: unknown;
  readonly marks: SensitiveMarks;
  readonly byName: boolean;
}

/**
 * Returns the value with each sensitive part replaced: what is marked, and what names tell. Marks that do not fit
 * the shape of the value cover all of it.
 */
export function mapSensitive(
  { value, marks, byName }: MarkedValue,
  replace: (part: unknown) => unknown,
): unknown {
  if (value === null || value === undefined) return value;
  if (hasMarks(marks) && !hasSameShape(value, marks)) return replace(value);
  if (typeof value !== "object") return value;
  const mapMember = (one: unknown, own: SensitiveMarks) =>
    mapSensitive({ value: one, marks: own, byName }, replace);
  if (Array.isArray(value)) return value.map((one, at) => mapMember(one, getMemberMark(marks, String(at))));
  const getMark = createMemberMarks({ value, marks, byName });
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapMember(one, getMark(key))]));
}

/**
 * Returns the marks of each member of an object: all of one that another member calls secret (see
 * `listPairedSecrets`), or, `byName`, whose own name suggests it.
 */
export function createMemberMarks({ value, marks, byName }: MarkedValue): (name: string) => SensitiveMarks {
  const paired = typeof value === "object" && value !== null ? listPairedSecrets({ ...value }) : [];
  return (name) =>
    paired.includes(name) || (byName && isSecretName(name)) ? true : getMemberMark(marks, name);
}

export function hasMarks(marks: SensitiveMarks): boolean {
  if (typeof marks === "object" && marks !== null) return Object.values(marks).some(hasMarks);
  return marks === true;
}

export function getMemberMark(marks: SensitiveMarks, key: string): unknown {
  if (marks === true) return true;
  return typeof marks === "object" && marks !== null && Object.hasOwn(marks, key)
    ? Reflect.get(marks, key)
    : undefined;
}

/** In characters. Longer texts are not parsed as JSON. */
const MAX_JSON = 1_000_000;

/** Calls `found` with the secrets of pairs in the JSON texts inside a value, such as the definition of a container. */
export function forEachPairInText(value: unknown, found: (part: unknown) => void): void {
  if (typeof value === "string") {
    if (!/^\s*[[{]/.test(value) || value.length > MAX_JSON) return;
    mapSensitive({ value: parseJson(value), marks: undefined, byName: false }, found);
  } else if (typeof value === "object" && value !== null)
    for (const one of Object.values(value)) forEachPairInText(one, found);
}

function hasSameShape(value: unknown, marks: SensitiveMarks): boolean {
  if (typeof value !== "object" || value === null || typeof marks !== "object" || marks === null)
    return false;
  return Array.isArray(value) === Array.isArray(marks);
}
