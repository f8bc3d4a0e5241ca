import { Button } from '@blueprintjs/core'
import { TickIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { endGuide } from '../../stores/guide.ts'
import { GUIDE_STEPS } from '../../ui/guide/guide.ts'
import { GuideButton, GuideHint, GuideTitle } from '../../ui/guide/guide-steps.tsx'
import type { Guide } from '../../ui/guide/use-guide.ts'

/** The first minutes of the demo: five steps, each ticked by what happens. */
export function HomeGuide({ guide }: { readonly guide: Guide }): ReactNode {
  return (
    <section className="home-guide card" aria-labelledby="home-guide">
      <header className="spread">
        <h2 id="home-guide">Five steps, two minutes</h2>
        <Button size="small" variant="minimal" text="Skip" aria-label="Skip the guide" onClick={endGuide} />
      </header>
      <p className="quiet">Take a node out of service, watch its instances move, bring it back.</p>
      <ol className="plain-list">
        {GUIDE_STEPS.map((step, at) => {
          const is = guide.done.has(step) ? 'done' : step === guide.now ? 'now' : 'ahead'
          return (
            <li key={step} className="home-step row" data-is={is} aria-current={is === 'now' ? 'step' : undefined}>
              <span className="guide-number rigid strong">{is === 'done' ? <TickIcon title="Done" /> : at + 1}</span>
              <span className="grow">
                <b>
                  <GuideTitle step={step} guide={guide} />
                </b>
                <small className="quiet block">
                  <GuideHint step={step} guide={guide} />
                </small>
              </span>
              {is === 'now' ? <GuideButton step={step} guide={guide} isOnMap={false} /> : null}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
