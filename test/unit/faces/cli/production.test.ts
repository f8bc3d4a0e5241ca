import { describe, expect, it } from 'vitest'
import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' }
const LAB = fakeCluster({ name: 'lab', production: true })

/** A plan of lab that empties the node, or one that only looks. */
function plan(risk: 'disruptive' | 'none') {
  const checked = samplePlan()
  return { ...checked, plan: { ...checked.plan, steps: checked.plan.steps.map(step => ({ ...step, risk })) } }
}

function run(risk: 'disruptive' | 'none' = 'disruptive') {
  const made = createFakeRun(plan(risk), [], [LAB])
  void made.asked('run.show').then(() => made.end('done'))
  return made
}

describe('on a cluster that is marked as production', () => {
  it('its name is typed instead of a yes, and passed on', async () => {
    const { fake } = run()
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: fake.contract, answers: ['lab'] })
    expect(await terminal.run('enter', 'lab', 'cmp-1')).toBe(0)
    expect(terminal.out()).toContain('lab is a production cluster: type its name to go on')
    expect(fake.inputsOf('run.start')).toEqual([{ planId: 'plan-1', typedCluster: 'lab' }])
  })

  it.each(['y', 'yes', '', 'LAB', 'lab2', null])('the answer %j touches nothing', async answer => {
    const { fake } = run()
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: fake.contract, answers: [answer] })
    expect(await terminal.run('leave', 'lab', 'cmp-1')).toBe(4)
    expect(terminal.out()).toContain('Nothing was touched.')
    expect(fake.inputsOf('run.start')).toEqual([])
  })

  it('--yes does not stand for its name: at a terminal it is still asked for, without one it is a usage error', async () => {
    const asked = run()
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: asked.fake.contract, answers: ['lab'] })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--yes')).toBe(0)
    const { fake } = run()
    const script = createFakeTerminal({ contract: fake.contract })
    expect(await script.run('enter', 'lab', 'cmp-1', '--yes')).toBe(2)
    expect(script.err()).toContain('--confirm-cluster lab')
    expect(fake.inputsOf('run.start')).toEqual([])
  })

  it('a script gives it with --confirm-cluster, and a wrong one touches nothing', async () => {
    const right = run()
    const script = createFakeTerminal({ contract: right.fake.contract })
    expect(await script.run('enter', 'lab', 'cmp-1', '--yes', '--confirm-cluster', 'lab')).toBe(0)
    expect(right.fake.inputsOf('run.start')).toEqual([{ planId: 'plan-1', typedCluster: 'lab' }])
    const wrong = run()
    const other = createFakeTerminal({ contract: wrong.fake.contract })
    expect(await other.run('enter', 'lab', 'cmp-1', '--yes', '--confirm-cluster', 'west')).toBe(4)
    expect(other.err()).toContain('The name of the cluster is lab: something else was typed.')
    expect(wrong.fake.inputsOf('run.start')).toEqual([])
  })

  it('a plan that disrupts nothing asks for a yes only', async () => {
    const { fake } = run('none')
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: fake.contract, answers: ['y'] })
    expect(await terminal.run('leave', 'lab', 'cmp-1')).toBe(0)
    expect(fake.inputsOf('run.start')).toEqual([{ planId: 'plan-1' }])
  })
})
