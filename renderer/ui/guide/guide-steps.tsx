import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { openPlanDialog } from '../../stores/plan-dialog.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { LinkButton } from '../link-button.tsx'
import { ExportReport } from '../reports/export-report.tsx'
import type { GuideStep } from './guide.ts'
import type { Guide } from './use-guide.ts'
import './guide.css'

/** What a step asks for. */
export function GuideTitle({ step, guide }: { readonly step: GuideStep; readonly guide: Guide }): ReactNode {
  const node = guide.node === null ? 'a node' : <span className="mono">{guide.node}</span>
  switch (step) {
    case 'open':
      return `Open ${guide.cluster}`
    case 'drag':
      return <>Drag {node} to “Take out”</>
    case 'start':
      return 'Read the plan and start it'
    case 'back':
      return guide.back !== null && guide.back.endedAt === null ? <>{node} is coming back</> : <>Bring {node} back</>
    case 'report':
      return 'Open its report'
  }
}

/** What to expect of a step, in a line. */
export function GuideHint({ step, guide }: { readonly step: GuideStep; readonly guide: Guide }): ReactNode {
  const size = useViews(({ byCluster }) => {
    const live = lastOf(byCluster.get(guide.cluster))
    return live === null ? '' : `${live.nodes.size} nodes, ${live.instances.size} instances. `
  })
  switch (step) {
    case 'open':
      return `${size}Nothing here is real.`
    case 'drag':
      return 'You see the plan first. Nothing starts by dragging.'
    case 'start':
      return 'It takes under a minute.'
    case 'back':
      return isGoingOut(guide) ? 'First watch its instances move.' : 'Its instances come back too, if you want.'
    case 'report':
      return 'What happened, who asked, what was verified.'
  }
}

/** The button of the step that is next; none while something runs. `isOnMap`: the map is in sight. */
export function GuideButton({
  step,
  guide,
  isOnMap,
}: {
  readonly step: GuideStep
  readonly guide: Guide
  readonly isOnMap: boolean
}): ReactNode {
  const { cluster, node, out, back } = guide
  const plan = (kind: 'enter' | 'leave') => node !== null && openPlanDialog({ cluster, kind, nodes: [node] })
  const map = (
    <LinkButton className="bp6-intent-primary" href={hashOf(clusterRoute(cluster, 'topology'))}>
      Show me
    </LinkButton>
  )
  switch (step) {
    case 'open':
      return map
    case 'drag':
      return isOnMap ? null : map
    case 'start':
      return <Button size="small" intent="primary" text="See the plan" onClick={() => plan('enter')} />
    case 'back':
      if (isGoingOut(guide) || (back !== null && back.endedAt === null)) return isOnMap ? null : map
      return <Button size="small" intent="primary" text="Bring it back…" onClick={() => plan('leave')} />
    case 'report':
      return out === null ? null : <ExportReport subject={{ kind: 'run', id: out.id }} intent="primary" />
  }
}

function isGoingOut({ out }: Guide): boolean {
  return out !== null && out.endedAt === null
}
