import { appendFileSync } from 'node:fs'

/** A measured row of the table that `npm run bench:all` prints; nothing if the benchmark was started alone. */
export function noteFigure(row: string, figure: number): void {
  const file = process.env.LOCKKEEPER_BENCH_FIGURES
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ row, figure })}\n`)
}
