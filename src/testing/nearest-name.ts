/** The name that a misspelt one most likely means, or undefined when none is near. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [nearest] = ranked;
  return nearest && nearest.distance <= Math.max(1, Math.floor(nearest.name.length / 3)) ? nearest.name : undefined;
}

/** How many letters must be changed, added, left out or swapped with the next one. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  let rowBefore: number[] = [];
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const changed = at(row, j) + (a[i] === b[j] ? 0 : 1);
      const swapped = a[i] === b[j - 1] && a[i - 1] === b[j] ? at(rowBefore, j - 1) + 1 : Infinity;
      next.push(Math.min(changed, at(row, j + 1) + 1, at(next, j) + 1, swapped));
    }
    rowBefore = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], n: number): number {
  return row[n] ?? Infinity;
}
