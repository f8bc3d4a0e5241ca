import type { Catcher } from './mutant.ts'

/** A test of `test/unit`, by its file without the ending. */
export function unit(file: string, title: string): Catcher {
  return { kind: 'test', file: `test/unit/${file}.test.ts`, title }
}

/** The simulation catches it within this many schedules from seed 1. */
export function simulation(schedules: number): Catcher {
  return { kind: 'simulation', schedules }
}
