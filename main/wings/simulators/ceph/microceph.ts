import type { CephSimulator } from './ceph-simulator.ts'

/** One operation of MicroCeph's maintenance mode, as its charm reports it. */
interface MicroCephStep {
  readonly id: string
  readonly description: string
  readonly error: string
}

/** The result of entering or leaving; `errors` is empty on success. */
export interface MicroCephEnd {
  readonly steps: readonly MicroCephStep[]
  readonly errors: string
}

/** The operator's options for both ways (docs/domain.md C.1). */
interface MicroCephChoices {
  readonly dryRun: boolean
  readonly checkOnly: boolean
  readonly ignoreCheck: boolean
  readonly force: boolean
  readonly setNoout: boolean
  readonly stopOsds: boolean
}

/** MicroCeph's maintenance mode over a simulated Ceph (MicroCeph `ceph/maintenance.go`, `operations.go`). */
export interface MicroCeph {
  enter(host: string, choices: MicroCephChoices): MicroCephEnd
  exit(host: string, choices: Pick<MicroCephChoices, 'dryRun' | 'checkOnly'>): MicroCephEnd
  /** Whether the host's OSD service is stopped and disabled, so that it does not start with the machine. */
  isStopped(host: string): boolean
}

interface Operation {
  readonly id: string
  readonly description: string
  /** Returns the error, or an empty text. */
  readonly run: () => string
}

/** Makes it for a Ceph with a monitor, a manager and a metadata server on each of `monHosts`. */
export function createMicroCeph(ceph: CephSimulator, monHosts: readonly string[]): MicroCeph {
  const stopped = new Set<string>()
  const idsOf = (host: string) =>
    ceph
      .osds()
      .filter(osd => osd.host === host)
      .map(({ id }) => id)
  const runCeph = (...words: readonly string[]) => {
    const answer = ceph.command(['ceph', ...words])
    if (answer === null) return 'ceph: not found'
    return answer.exitCode === 0 ? '' : answer.stderr.trim()
  }

  const checks = (host: string): readonly Operation[] => [
    {
      id: 'check-osd-ok-to-stop-ops',
      description: `Check if osds.[${idsOf(host).join(' ')}] in node '${host}' are ok-to-stop.`,
      run: () =>
        runCeph('osd', 'ok-to-stop', ...idsOf(host).map(String)) === ''
          ? ''
          : `osds.[${idsOf(host).join(' ')}] cannot be safely stopped`,
    },
    {
      id: 'check-non-osd-svc-enough-ops',
      description: `Check if there are at least a majority of mon services, 1 mds service, and 1 mgr service in the cluster besides those in node '${host}'`,
      run: () => {
        const staying = monsInQuorum(ceph, monHosts).filter(each => each !== host).length
        const needed = Math.floor(monHosts.length / 2) + 1
        return staying >= needed
          ? ''
          : `need at least ${needed} mon services, 1 mds service, and 1 mgr service in the cluster besides those in node '${host}'`
      },
    },
  ]
  const flag = (on: boolean): readonly Operation[] => [
    {
      id: on ? 'set-noout-ops' : 'unset-noout-ops',
      description: `Run \`ceph osd ${on ? 'set' : 'unset'} noout\`.`,
      run: () => runCeph('osd', on ? 'set' : 'unset', 'noout'),
    },
    {
      id: on ? 'assert-noout-flag-set-ops' : 'assert-noout-flag-unset-ops',
      description: `Assert osd has 'noout' flag ${on ? 'set' : 'unset'}.`,
      run: () => (hasNoout(ceph) === on ? '' : `osd has 'noout' flag ${on ? 'unset' : 'set'}`),
    },
  ]
  const osdService = (host: string, up: boolean): Operation => ({
    id: up ? 'start-osd-ops' : 'stop-osd-ops',
    description: `${up ? 'Start' : 'Stop'} osd service in node '${host}'.`,
    run: () => {
      if (up) stopped.delete(host)
      else stopped.add(host)
      for (const id of idsOf(host)) ceph.setOsdUp(id, up)
      return ''
    },
  })

  return {
    enter: (host, choices) => {
      const first = choices.ignoreCheck ? [] : checks(host)
      const main = [...(choices.setNoout ? flag(true) : []), ...(choices.stopOsds ? [osdService(host, false)] : [])]
      if (choices.dryRun) return planned([...first, ...(choices.checkOnly ? [] : main)])
      const checked = runAll(first)
      const bad = checked.filter(step => step.error !== '')
      if (choices.checkOnly || (bad.length > 0 && !choices.force)) return ended(checked)
      const done = runUntilError(main)
      const failed = done.filter(step => step.error !== '')
      return { steps: [...checked, ...done], errors: errorsOf(failed) }
    },
    exit: (host, choices) => {
      if (choices.checkOnly) return { steps: [], errors: '' }
      const main = [...flag(false), osdService(host, true)]
      return choices.dryRun ? planned(main) : ended(runUntilError(main))
    },
    isStopped: host => stopped.has(host),
  }
}

function planned(operations: readonly Operation[]): MicroCephEnd {
  return { steps: operations.map(({ id, description }) => ({ id, description, error: '' })), errors: '' }
}

function runAll(operations: readonly Operation[]): readonly MicroCephStep[] {
  return operations.map(({ id, description, run }) => ({ id, description, error: run() }))
}

function runUntilError(operations: readonly Operation[]): readonly MicroCephStep[] {
  const steps: MicroCephStep[] = []
  for (const operation of operations) {
    const [step] = runAll([operation])
    if (step !== undefined) steps.push(step)
    if (step?.error !== '') break
  }
  return steps
}

function ended(steps: readonly MicroCephStep[]): MicroCephEnd {
  return { steps, errors: errorsOf(steps.filter(step => step.error !== '')) }
}

function errorsOf(failed: readonly MicroCephStep[]): string {
  if (failed.length === 0) return ''
  const list = failed.map(({ description, error }) => `{${description} ${error}}`).join(' ')
  return `maintenance operations failed: [${list}]`
}

/** Lists the hosts whose monitor is in quorum; monitors are named a, b, c… in the order of their hosts. */
function monsInQuorum(ceph: CephSimulator, monHosts: readonly string[]): readonly string[] {
  const reported = jsonOf(ceph, 'status')
  const names = Array.isArray(reported.quorum_names) ? reported.quorum_names : []
  return monHosts.filter((_, index) => names.includes(String.fromCharCode('a'.charCodeAt(0) + index)))
}

function hasNoout(ceph: CephSimulator): boolean {
  return String(jsonOf(ceph, 'osd', 'dump').flags ?? '')
    .split(',')
    .includes('noout')
}

function jsonOf(ceph: CephSimulator, ...words: readonly string[]): Readonly<Record<string, unknown>> {
  const answer = ceph.command(['ceph', ...words, '--format', 'json'])
  if (answer === null || answer.exitCode !== 0) return {}
  return JSON.parse(answer.stdout) as Record<string, unknown>
}
