import type { ReactNode } from 'react'
import type { Report, ReportInstance } from '../../shared/domain/report.ts'
import { counted, someOf } from '../../shared/grammar/counts.ts'
import { Section } from './html-parts.tsx'
import { NODE_WORDS } from './html-words.ts'

/** What becomes of an instance that somebody still has to see to. */
const OPEN: Readonly<Partial<Record<ReportInstance['outcome'], string>>> = {
  failed: 'could not be moved',
  stopped: 'down, to be started by the owner',
  'left-to-owner': 'left to the owner',
  'left-here': 'still here',
  'not-reached': 'not reached or not known',
}

/** What is left to do after the work, by what the journal says. */
export function RemainsPart({ report }: { readonly report: Report }): ReactNode {
  const lines = remainsOf(report)
  return (
    <Section id="remains" title="What remains to be done">
      {lines.length === 0 ? (
        <p>
          {report.damage.length > 0
            ? 'Not known: part of the journal could not be read.'
            : 'No node and no instance is left to see to.'}
        </p>
      ) : (
        <ul className="lines">
          {lines.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Nodes that are not back in service and instances that somebody has to see to, each kind in a line. */
export function remainsOf({ nodes, instances }: Pick<Report, 'nodes' | 'instances'>): readonly string[] {
  const away = Map.groupBy(
    nodes.filter(({ outcome }) => outcome !== 'back'),
    ({ outcome }) => outcome,
  )
  const open = Map.groupBy(instances, ({ outcome }) => outcome)
  return [
    ...[...away].map(
      ([outcome, list]) =>
        `${counted(list.length, 'node')} ${NODE_WORDS[outcome][0]}: ${someOf(list.map(({ node }) => node))}.`,
    ),
    ...[...open].flatMap(([outcome, list]) => {
      const words = OPEN[outcome]
      return words === undefined
        ? []
        : [`${counted(list.length, 'instance')} ${words}: ${someOf(list.map(({ name }) => name))}.`]
    }),
  ]
}
