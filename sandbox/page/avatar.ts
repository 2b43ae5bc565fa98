/** Distinct hues, in degrees. */
const HUES = [212, 152, 28, 268, 340, 186, 48, 96];

/** Renders a round picture with the first letter of a name; its colour depends on the id. */
export function avatar(id: number, name: string): string {
  const letter = /[a-z0-9]/i.exec(name)?.[0]?.toUpperCase() ?? "T";
  const hue = HUES[id % HUES.length] ?? 212;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">' +
    `<circle cx="20" cy="20" r="20" fill="hsl(${hue} 45% 42%)"/>` +
    `<text x="20" y="27" font-family="system-ui,sans-serif" font-size="19" font-weight="600" fill="#fff" text-anchor="middle">${letter}</text></svg>`
  );
}
