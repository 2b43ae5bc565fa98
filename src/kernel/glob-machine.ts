// A pattern without braces is compiled to a row of UTF-16 units and these symbols.
const ONE = -1;
const STAR = -2;
/** Symbol at the start of a segment: matches whole segments, each with its slash. */
const SEGMENTS = -3;
const SLASH = 47;

/** A set of states in all rows of symbols, one bit each, 32 to a word. */
type StateSet = Int32Array;

/** Several compiled patterns that are matched at once. */
export interface GlobMachine {
  readonly starts: StateSet;
  readonly ends: StateSet;
  readonly stars: StateSet;
  readonly segments: StateSet;
  /** The states that a unit advances; `others` is for units that no pattern names. */
  readonly moves: ReadonlyMap<number, StateSet>;
  readonly others: StateSet;
}

/** Compiles patterns without braces side by side, each followed by one final state that is reached when it has matched. */
export function buildGlobMachine(patterns: readonly string[]): GlobMachine {
  const rows = patterns.map(parseSigns);
  const words = Math.ceil(rows.reduce((sum, row) => sum + row.length + 1, 0) / 32);
  const none = (): StateSet => new Int32Array(words);
  const wild = new Map([ONE, STAR, SEGMENTS].map((sign) => [sign, none()]));
  const moves = new Map([[SLASH, none()]]);
  const machine = { starts: none(), ends: none() };
  let start = 0;
  for (const row of rows) {
    addState(machine.starts, start);
    row.forEach((sign, index) => {
      const places = wild.get(sign) ?? moves.get(sign) ?? none();
      if (sign >= 0) moves.set(sign, places);
      addState(places, start + index);
    });
    start += row.length + 1;
    addState(machine.ends, start - 1);
  }
  const others = wild.get(ONE) ?? none();
  for (const [unit, places] of moves) if (unit !== SLASH) addStates(places, others);
  return {
    ...machine,
    moves,
    others,
    stars: wild.get(STAR) ?? none(),
    segments: wild.get(SEGMENTS) ?? none(),
  };
}

/** Whether a pattern matches the text. Walks the text once with the set of all reachable states: there is no backtracking. */
export function isMachineMatch(machine: GlobMachine, text: string): boolean {
  const reached = Int32Array.from(machine.starts);
  passOverOptional(machine.segments, reached);
  passOverOptional(machine.stars, reached);
  for (let index = 0; index < text.length; index += 1) {
    if (!consumeUnit(machine, reached, text.charCodeAt(index))) return false;
  }
  return reached.some((places, word) => (places & getWord(machine.ends, word)) !== 0);
}

/** Consumes one unit of the text; false when no state is left. */
function consumeUnit(machine: GlobMachine, reached: StateSet, unit: number): boolean {
  const moving = machine.moves.get(unit) ?? machine.others;
  const isSlash = unit === SLASH;
  let carry = 0;
  let left = 0;
  for (let word = 0; word < reached.length; word += 1) {
    const here = getWord(reached, word);
    const moved = here & getWord(moving, word);
    const stay = getWord(machine.segments, word) | (isSlash ? 0 : getWord(machine.stars, word));
    const next = (moved << 1) | carry | (here & stay);
    reached[word] = next;
    carry = moved >>> 31;
    left |= next;
  }
  if (isSlash) passOverOptional(machine.segments, reached);
  passOverOptional(machine.stars, reached);
  return left !== 0;
}

/** Adds the state after each reached optional state: optional symbols also match nothing. */
function passOverOptional(optional: StateSet, reached: StateSet): void {
  let carry = 0;
  for (let word = 0; word < reached.length; word += 1) {
    const here = getWord(reached, word) | carry;
    const passed = here & getWord(optional, word);
    reached[word] = here | (passed << 1);
    carry = passed >>> 31;
  }
}

function parseSigns(pattern: string): readonly number[] {
  const segments = pattern
    .split("/")
    .filter((segment, index, all) => segment !== "**" || all[index - 1] !== "**");
  return segments.flatMap((segment, index) => {
    const isLast = index === segments.length - 1;
    if (segment === "**") return isLast ? [SEGMENTS, STAR] : [SEGMENTS];
    const signs = segment.replaceAll(/\*+/g, "*").split("").map(getSign);
    return isLast ? signs : [...signs, SLASH];
  });
}

const WILD: { readonly [character: string]: number | undefined } = { "?": ONE, "*": STAR };
const getSign = (unit: string): number => WILD[unit] ?? unit.charCodeAt(0);

function addState(places: StateSet, place: number): void {
  const word = place >> 5;
  places[word] = getWord(places, word) | (1 << (place & 31));
}

function addStates(places: StateSet, more: StateSet): void {
  for (let word = 0; word < places.length; word += 1)
    places[word] = getWord(places, word) | getWord(more, word);
}

const getWord = (places: StateSet, word: number): number => places[word] ?? 0;
