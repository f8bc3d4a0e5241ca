import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { textLogicOf } from './text-logic.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')

/** Code that may read a text, by file: words of a program that has no code for them, what a person typed, or no wording at all. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  // What other programs print or answer, read where it arrives.
  'main/adapters/ceph/ceph-port.ts': ["line.startsWith('Error ')"],
  'main/adapters/commands/kept-output.ts': ['/-----BEGIN [^-]*-----/.test(line)', '/-----END [^-]*-----/.test(line)'],
  'main/adapters/juju/juju-port.ts': ['/timed out|time ?out/i.test(message)'],
  'main/adapters/kubernetes/eviction.ts': [
    "status?.reason === 'TooManyRequests'",
    "cause.reason === 'NamespaceTerminating'",
    'TWO_BUDGETS.test(sentence)',
  ],
  'main/adapters/kubernetes/exec.ts': ["each.reason === 'ExitCode'"],
  'main/adapters/kubernetes/list.ts': ["refusalIn(410, came.body)?.reason === 'Expired'"],
  'main/adapters/openstack/policy-probes.ts': ['/migration/i.test(said)', 'said.includes(NOWHERE)'],
  // The code of a refusal, no text.
  'main/faces/cli/follow/attend-run.ts': ["failure.reason === 'SayWhyOnProduction'"],
  'main/wings/simulators/ceph/ceph-simulator.ts': ['each.command.test(words)'],
  'main/faces/electron/page-crash.ts': ["reason === 'clean-exit'"],
  'main/journal/database-check.ts': ["said !== 'ok'"],
  'main/procedures/steps/control/microovn-status.ts': ['/^- (\\S+) \\(/.exec(line)'],
  // Only Nova's `disabled_reason` says whose maintenance disabled a compute service.
  'shared/domain/disabled-reason.ts': [
    'reason.startsWith(PREFIX)',
    "reason.indexOf(': ', PREFIX.length)",
    'reason?.startsWith(OF_NOVA)',
    'reason?.startsWith(PREFIX)',
  ],
  // Journals and statuses of earlier versions, which had no codes.
  'shared/domain/earlier-texts.ts': [
    '/^(.+) left it$/s.exec(why)',
    '/^(.+) hands it over$/s.exec(why)',
    // prose-ignore: a text of an earlier version
    '/^The lease of (\\S+) was lost, so nothing more was begun\\.(?: (.*))?$/s.exec(why)',
    '/^The lease of (\\S+) could not be taken: (.*)$/s.exec(why)',
    "message.startsWith('it says nothing; it has not moved')",
    // prose-ignore: a text of an earlier version
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is quoted
    'message.startsWith(`Its runner ${runner} is not there any more`)',
    '/^It begins when MaintenanceCampaign (\\S+) says so \\(batch (\\d+) of (\\d+)\\)\\./.exec(message)',
    'pattern.exec(message)',
  ],
  // What a person typed.
  'main/faces/cli/arguments/parse-arguments.ts': ["words.indexOf('--')"],
  'main/faces/cli/complete/complete.ts': ["line.indexOf('--data-dir')"],
  'main/faces/cli/follow/questions.ts': ['/^y(?:es)?$/i.test(line.trim())'],
  'main/faces/cli/run-cli.ts': ["words.includes('--no-color')", "line.trimStart().startsWith('at ')"],
  'main/faces/cli/welcome/choose-number.ts': ['/^\\d{1,3}$/.test(line)', "line.trim().toLowerCase() === 'all'"],
  'renderer/features/runs/run-log.tsx': ['line.text.toLowerCase().includes(search)'],
  // A code, a list or a name in a variable that is named like a text.
  'main/api/reports.ts': ["what === 'journal'"],
  'main/faces/cli/render/render-gate.ts': ['said.includes(choice)'],
  'main/procedures/steps/compute/steer-migration.ts': ["what === 'abort'"],
  'main/procedures/steps/rolling/await-command.ts': ["why === 'lease-away'"],
  'main/runs/engine/walk-step.ts': ["why !== 'pause'", "why !== 'lease-away'"],
  'renderer/ui/plan/use-plan.ts': ['said.includes(words)'],
  // How a text looks on screen.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is quoted
  'renderer/features/topology/holder.tsx': ['words.endsWith(` ${node}`)'],
  'renderer/ui/instances/instance-details.tsx': ["words.endsWith('.')"],
  'renderer/ui/said.tsx': ['sentence.matchAll(SPECIAL)'],
  'shared/words/lock-status.ts': ['/[.!?\\])]$/.test(why)'],
  'shared/words/facts.ts': ['/[.!?…]$/.test(said)'],
}

/** What still has to become a code, by file. Entries are only removed. */
const STILL: Readonly<Record<string, readonly string[]>> = {
  // Finds instances in the text of a lock; unnecessary once locks carry the instances as values.
  'shared/words/lock-text.ts': ['sentence.matchAll(LABEL)'],
  // The failure of a source has a code, which the old sources of a cluster do not pass on.
  'renderer/features/topology/old-sources.ts': ['/^Could not [^:]*: (.+)$/s.exec(why)'],
}

const found = Object.fromEntries(
  globSync('{main,shared,renderer}/**/*.{ts,tsx}', { cwd: HOUSE })
    .sort()
    .flatMap(file => {
      const places = textLogicOf(file, readFileSync(join(HOUSE, file), 'utf8'))
      return places.length === 0 ? [] : [[file, [...new Set(places.map(({ code }) => code))].sort()] as const]
    }),
)

test('no decision depends on the wording of a text, except for those listed here with a reason', () => {
  const named = Object.fromEntries(
    [...new Set([...Object.keys(MAY), ...Object.keys(STILL)])]
      .sort()
      .map(file => [file, [...(MAY[file] ?? []), ...(STILL[file] ?? [])].sort()]),
  )
  expect(found).toEqual(named)
})

test.each([
  ["if (state.why.endsWith(' left it')) go()", true],
  ["if (failure?.detail?.startsWith('HTTP 410')) go()", true],
  ['const isReported = status.message.startsWith(gate.why)', true],
  ['if (/^Wait/.test(answer.text)) go()', true],
  ['const [, node] = /on (.*)/.exec(message) ?? []', true],
  ["if (run.summary.trim().toLowerCase() === 'done') go()", true],
  ["if ('none' !== note) go()", true],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is quoted
  ['if (event.title === `Drain ${node}`) go()', true],
  ["switch (step.reason) { case 'No room.': go() }", true],
  ["(span?.note ?? '').includes('watched')", true],
  ["notes.findLast(line => line.includes(': passed'))", true],
  ["if (state.note === '') go()", false],
  ['if (state.why === left.why) go()', false],
  ["if (failure.code === 'not-found') go()", false],
  ["if (choices.includes('retry')) go()", false],
  ["if (node.name.startsWith('cmp')) go()", false],
  ["show(state.why.replace(/\\.$/, ''))", false],
] as const)('%s gives these places: %s', (code, is) => {
  expect(textLogicOf('main/a.ts', `// é🙂\n${code}`).map(({ line }) => line)).toEqual(is ? [2] : [])
})
