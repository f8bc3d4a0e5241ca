import type { FlagSpec } from '../../../../faces/cli/arguments/argument-specs.ts'

/** Flags of runs that a runner in the cluster carries out. */
export const inClusterFlags: readonly FlagSpec[] = [
  {
    name: 'in-cluster',
    value: { kind: 'switch' },
    help: 'run it on a runner in the cluster; it continues when this terminal closes',
  },
  {
    name: 'start-after',
    value: { kind: 'text', placeholder: 'TIME' },
    help: 'with --in-cluster: earliest start, such as 2035-11-24T22:00+01:00',
  },
  {
    name: 'not-after',
    value: { kind: 'text', placeholder: 'TIME' },
    help: 'with --in-cluster: do not start a node that would not finish by then',
  },
  {
    name: 'resume-policy',
    value: { kind: 'choice', choices: ['always', 'never'] },
    help: 'with --in-cluster: always (the default): the runner resumes the run after a crash; never: you resume it',
  },
  {
    name: 'campaign',
    value: { kind: 'text', placeholder: 'NAME' },
    help: 'with --in-cluster: start it when this campaign of the runner releases it',
  },
]
/** Confirms where the volume is, for runners that cannot find it out. */
export const volumeElsewhere: FlagSpec = {
  name: 'volume-elsewhere',
  value: { kind: 'switch' },
  help: "confirm that the runner's volume does not depend on OSDs that it stops; otherwise it refuses such runs if it cannot tell",
}
