import type { ReactNode } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { planWords, timeLeft } from '../../../shared/words/windows.ts'
import { hashOf } from '../../stores/route.ts'
import { isOver } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { standingAt } from '../../stores/windows.ts'
import { ClusterName } from './cluster-name.tsx'
import { StandingTag } from './standing-tag.tsx'
import { WindowTimes } from './window-times.tsx'

/** Windows one a line, each a way to its page. */
export function WindowTable({ windows }: { readonly windows: readonly ListedWindow[] }): ReactNode {
  return (
    <table className="table card win-table">
      <thead>
        <tr>
          <th scope="col">Window</th>
          <th scope="col">Cluster</th>
          <th scope="col">When</th>
          <th scope="col">Standing</th>
          <th scope="col">For</th>
          <th scope="col">Runs</th>
        </tr>
      </thead>
      <tbody>
        {windows.map(listed => (
          <Line key={listed.window.id} listed={listed} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ listed }: { readonly listed: ListedWindow }): ReactNode {
  const { window, runs } = listed
  const standing = useTicks(store => standingAt(listed, store.nowMs))
  const left = useTicks(store => timeLeft(window, standing, store.nowMs))
  const working = runs.filter(run => !isOver(run)).length
  return (
    <tr>
      <th scope="row">
        <a href={hashOf({ kind: 'window', id: window.id })}>{window.title}</a>
        {window.ticket === '' ? null : <div className="quiet">{window.ticket}</div>}
      </th>
      <td>
        <ClusterName name={window.cluster} />
      </td>
      <td>
        <WindowTimes window={window} />
      </td>
      <td>
        <StandingTag standing={standing} />
        {left === '' ? null : <div className={standing === 'overrunning' ? 'bad' : 'quiet'}>{left}</div>}
      </td>
      <td>{planWords(window.plan)}</td>
      <td>
        {runs.length === 0 ? <span className="quiet">none</span> : counted(runs.length, 'run')}
        {working === 0 ? null : <div className="win-working">{working} under way</div>}
      </td>
    </tr>
  )
}
