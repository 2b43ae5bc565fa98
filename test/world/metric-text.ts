/** The series of a metrics text: the labels' names by the metric's name, as queries name it (`…_bucket`, `…_count`). */
export function readMetricLabels(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const line of text.split("\n")) {
    const [, name, block = ""] = /^([a-z_\d]+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const known = labels.get(name) ?? new Set();
    for (const [, label = ""] of block.matchAll(/(?:^|,)(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
    labels.set(name, known);
  }
  return labels;
}
