import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RunSteps } from '../../../renderer/ui/runs/run-steps.tsx'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'

/** The line of the checks of a run, without its markup. */
function checksLine(end: 'goes on' | 'stopped', isChecked: boolean, isOverridden = false): string {
  const sample = createSampleRun()
  const created = sample.created()
  const view = foldRun(isChecked ? sample.events : created.slice(0, 2))
  const steps = view.steps.map(step =>
    isOverridden && step.step.id === 'node-exists' ? { ...step, state: 'overridden' as const } : step,
  )
  const leftAt = end === 'stopped' ? view.lastEventAt : null
  const drawn = renderToStaticMarkup(
    createElement(RunSteps, { view: { ...view, steps }, events: sample.events, leftAt }),
  )
  return /<summary><span[^>]*>.*?<\/summary>/s.exec(drawn)?.[0].replaceAll(/<[^>]+>/g, ' ') ?? ''
}

test('a run that was stopped before all was checked checks nothing any more', () => {
  expect(checksLine('goes on', false)).toContain('checking')
  expect(checksLine('stopped', false)).toContain('not all checked')
  expect(checksLine('stopped', true)).toContain('checked')
})

test('the number of overridden checks is beside those that pass', () => {
  expect(checksLine('goes on', true, true)).toMatch(/0 of 1 check\s+pass\s*, 1 overridden/)
})
