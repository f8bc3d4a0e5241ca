import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { kindTitle } from '../../../shared/words/runs.ts'
import { openPlanDialog } from '../../stores/plan-dialog.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import type { Need } from '../../ui/needs/needs.ts'
import { stuckInstances } from '../../ui/runs/choices.ts'
import { Named } from '../../ui/runs/named.tsx'
import { RunChoices } from '../../ui/runs/run-choices.tsx'
import { subjectOf } from '../../ui/runs/trouble-subject.ts'
import { useRunView } from '../../ui/runs/use-run-view.ts'
import { Age } from '../../ui/when.tsx'
import { RowFacts } from './home-section.tsx'

/** What needs you: a card for each, with the answers that end it. */
export function HomeNeeds({ needs }: { readonly needs: readonly Need[] }): ReactNode {
  return needs.length === 0 ? null : (
    <ul className="home-part home-needs plain-list" aria-label="Needs you">
      {needs.map(need => (
        <li key={need.key}>
          <NeedCard need={need} />
        </li>
      ))}
    </ul>
  )
}

function NeedCard({ need }: { readonly need: Need }): ReactNode {
  const { cluster, since, about, tone, href } = need
  const doing = about.kind === 'run' && about.run.condition.kind === 'waiting' ? kindTitle(about.run) : null
  const { title, detail } = useSubject(need)
  return (
    <article className="home-need row" data-tone={tone} aria-label={title.filter(Boolean).join(' ')}>
      <div className="grow">
        <b>
          <Named title={title} />
        </b>
        {detail === null ? null : <p className="breaks flush">{detail}</p>}
        <RowFacts cluster={cluster}>
          {doing === null ? null : (
            <span>
              <Named title={doing} />
            </span>
          )}
          {since === null ? null : (
            <span>
              <Age at={since} />
            </span>
          )}
        </RowFacts>
      </div>
      <span className="row wrap home-answers">
        {about.kind === 'run' ? <RunAnswers need={about} /> : null}
        {about.kind === 'node' && about.plan !== null ? (
          <Button
            size="small"
            text={about.plan === 'rescue' ? 'Rescue its instances…' : 'Move the rest…'}
            onClick={() => openPlanDialog({ cluster, kind: about.plan ?? 'enter', nodes: [about.node] })}
          />
        ) : null}
        <LinkButton href={href} aria-label={`Open: ${title.filter(Boolean).join(' ')}`}>
          Open
        </LinkButton>
      </span>
    </article>
  )
}

/** What needs you, and why. For a run, the words of its page once Lockkeeper has read it: a question about instances is headed by them. */
function useSubject({ about, title, detail }: Need): Pick<Need, 'title' | 'detail'> {
  const condition = about.kind === 'run' ? about.run.condition : null
  const view = useRunView(about.kind === 'run' && condition?.kind === 'waiting' ? about.run.id : null)
  const [first] = condition?.kind === 'waiting' ? condition.waits : []
  if (detail === null || view === null || first === undefined) return { title, detail }
  const { title: name, sentence, line } = subjectOf(view, first)
  const stuck = stuckInstances(view, first).length
  if (stuck === 0) return { title, detail: line }
  return { title: ['', name, stuck === 1 ? 'needs you' : 'need you'], detail: sentence }
}

function RunAnswers({ need: { run } }: { readonly need: Extract<Need['about'], { kind: 'run' }> }): ReactNode {
  const view = useRunView(run.condition.kind === 'over' ? null : run.id)
  return <RunChoices run={run} view={view} />
}
