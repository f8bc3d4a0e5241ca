import { CORE_CONSOLES } from './core.ts'

/** How the tests of a stage are counted: by the report that its runner writes, or as one check. */
export type Counting = 'vitest' | 'playwright' | 'one-check'

/** One command of a level. */
export interface Stage {
  readonly name: string
  /** The command and its arguments, from the project's folder. */
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly counting: Counting
  /** Stages that must have passed before this one starts. */
  readonly needs?: readonly string[]
}

/** A set of stages with one purpose, and what it leaves out. */
interface Level {
  /** The command that runs it. */
  readonly command: string
  readonly stages: readonly Stage[]
  /** What the level does not run, each with the command that does. */
  readonly leavesOut: readonly string[]
  /** Whether the slowest tests are listed at the end. */
  readonly listsSlowest: boolean
}

const VITEST = ['node_modules/.bin/vitest', 'run'] as const
const PLAYWRIGHT = ['node_modules/.bin/playwright', 'test', '-c', 'test/e2e/playwright.config.ts'] as const

const LAB = 'the tests on real systems: npm run lab:up && npm run test:lab'
const LONG = 'properties with many more tries: npm run test:long'
const PACKAGES = 'the installed packages: npm run test:packages'

const TYPES: Stage = { name: 'types', command: ['npm', 'run', '--silent', 'typecheck'], counting: 'one-check' }
const LINT: Stage = { name: 'lint', command: ['npm', 'run', '--silent', 'lint'], counting: 'one-check' }
const RULES: Stage = {
  name: 'rules',
  command: [...VITEST, '--project', 'rules', '--project', 'renderer', '--project', 'alone'],
  counting: 'vitest',
}
const BUILD: Stage = { name: 'build', command: ['npm', 'run', '--silent', 'build'], counting: 'one-check' }
const BUILD_CLI: Stage = {
  name: 'build:cli',
  command: ['npm', 'run', '--silent', 'build:cli'],
  counting: 'one-check',
  // Both builds write the list of what they bundled into one folder.
  needs: ['build'],
}
/** The core alone: it compiles and passes its tests with a stub in the place of each wing. */
const CORE: Stage = {
  name: 'core',
  command: ['npm', 'run', '--silent', 'check:core', '--'],
  counting: 'vitest',
}
const CHROMIUM: Stage = { name: 'chromium', command: ['test/e2e/ensure-chromium.sh'], counting: 'one-check' }

/** Simulates this many schedules of each stretch; without a number, the test's default. */
const simulation = (schedules?: number): Stage => ({
  name: 'simulation',
  command: ['npm', 'run', '--silent', 'test:simulation', '--'],
  ...(schedules === undefined ? {} : { env: { LOCKKEEPER_SCHEDULES: String(schedules) } }),
  counting: 'vitest',
})

const built = (files: readonly string[]): Stage => ({
  name: 'built',
  command: [...VITEST, '--config', 'test/e2e/vitest.built.config.ts', ...files],
  counting: 'vitest',
  needs: ['build', 'build:cli'],
})

const inChromium = (name: string, flags: readonly string[]): Stage => ({
  name,
  command: [...PLAYWRIGHT, ...flags],
  counting: 'playwright',
  needs: ['build', 'build:cli', 'chromium'],
})

/** The levels of docs/tests.md. Stages start in this order, two at a time. */
export const LEVELS: Readonly<Record<'quick' | 'all', Level>> = {
  quick: {
    command: 'npm test',
    stages: [
      BUILD,
      TYPES,
      LINT,
      BUILD_CLI,
      CHROMIUM,
      inChromium('screens', ['--project', 'dark', '--grep', '@core', '--workers', '2']),
      RULES,
      inChromium('journeys', ['--project', 'serve', '--grep', '@core', '--workers', '2']),
      {
        name: 'consoles',
        command: [...VITEST, '--project', 'consoles', ...Object.keys(CORE_CONSOLES)],
        counting: 'vitest',
      },
      built(['test/e2e/built/desktop.test.ts', 'test/e2e/built/page.test.ts', 'test/e2e/built/terminal.test.ts']),
      simulation(150),
    ],
    leavesOut: ['the other consoles, screens, journeys, schedules, and the mutants: npm run test:all', LAB],
    listsSlowest: false,
  },
  all: {
    command: 'npm run test:all',
    stages: [
      BUILD,
      TYPES,
      LINT,
      BUILD_CLI,
      CHROMIUM,
      inChromium('screens', ['--project', 'dark', '--workers', '2']),
      RULES,
      CORE,
      { name: 'consoles', command: [...VITEST, '--project', 'consoles'], counting: 'vitest' },
      inChromium('journeys', [
        ...['--project', 'serve', '--project', 'desktop-stand-in', '--project', 'electron'],
        ...['--workers', '2'],
      ]),
      built([]),
      simulation(),
      {
        name: 'mutants',
        command: ['npm', 'run', '--silent', 'test:mutants', '--', '--sample', '8'],
        counting: 'one-check',
      },
    ],
    leavesOut: [LAB, LONG, PACKAGES, 'every mutant: npm run test:mutants'],
    listsSlowest: true,
  },
}

/** What a run of these stages of a level did not run, each with the command that does. */
export function leftOut({ command, stages, leavesOut }: Level, ran: readonly string[]): readonly string[] {
  const others = stages.map(({ name }) => name).filter(name => !ran.includes(name))
  return others.length === 0 ? leavesOut : [`the stages ${others.join(', ')}: ${command}`, ...leavesOut]
}
