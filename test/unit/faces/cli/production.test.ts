import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { type Asked, playScenes } from '../../../fixtures/cli/scenes.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

/** A run on a production cluster that ends at once; its plan empties the node, or only looks. */
const lab =
  (risk: 'disruptive' | 'none' = 'disruptive') =>
  () => {
    const { plan, ...checked } = samplePlan()
    const risky = { ...checked, plan: { ...plan, steps: plan.steps.map(step => ({ ...step, risk })) } }
    const run = createFakeRun(risky, [], [fakeCluster({ name: 'lab', production: true })])
    void run.asked('run.show').then(() => run.end('done'))
    return run.fake
  }
const started = (more: object = {}): Asked => [['run.start', { planId: 'plan-1', ...more }]]
const TYPED = { typedCluster: 'lab' }

playScenes('a plan on a cluster that is marked as production', 'transcripts/production.txt', lab(), {
  'is confirmed by its name, which is passed on': { says: 'enter lab cmp-1', answers: ['lab'], asks: started(TYPED) },
  ...Object.fromEntries(
    ['y', 'yes', '', 'LAB', 'lab2', null].map(answer => [
      `is not confirmed by ${answer}`,
      { says: 'leave lab cmp-1', answers: [answer], exit: 4 },
    ]),
  ),
  'is confirmed by its name at a terminal with --yes too': {
    says: 'enter lab cmp-1 --yes',
    answers: ['lab'],
    asks: started(TYPED),
  },
  'is not confirmed by --yes alone': { says: 'enter lab cmp-1 --yes', exit: 2 },
  'is confirmed by a script with --confirm-cluster': {
    says: 'enter lab cmp-1 --yes --confirm-cluster lab',
    asks: started(TYPED),
  },
  'is not confirmed by another name': { says: 'enter lab cmp-1 --yes --confirm-cluster west', exit: 4 },
  'asks for a yes only where it disrupts nothing': {
    says: 'leave lab cmp-1',
    fake: lab('none'),
    answers: ['y'],
    asks: started(),
  },
})
