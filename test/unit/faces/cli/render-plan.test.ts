import { describe, expect, it } from 'vitest'
import { countsSentence } from '../../../../main/faces/cli/render/plan-counts.ts'
import { renderPlan } from '../../../../main/faces/cli/render/render-plan.ts'
import { widthOf } from '../../../../main/faces/cli/words/width.ts'
import type { CheckAnswer, CheckedPlan } from '../../../../shared/domain/plan.ts'
import { effectsOf } from '../../../../shared/domain/plan-effects.ts'
import { asciiLook, pipeLook, terminalLook } from '../../../fixtures/cli/looks.ts'
import {
  asRolling,
  blocking,
  holding,
  sampleBlocker,
  sampleEffects,
  samplePlan,
  sampleStep,
} from '../../../fixtures/cli/sample-plan.ts'

const text = (...args: Parameters<typeof renderPlan>) => renderPlan(...args).join('\n')

describe('a plan', () => {
  it('says which node of which cluster, and that nothing was touched', () => {
    const plan = text(samplePlan(), pipeLook, false)
    expect(plan).toContain('Take cmp-1 of lab out of service')
    expect(plan).toContain('scope os, plain cloud, 1 migration at once, drain within 30 min')
    expect(plan).toContain('Nothing has been touched.')
    expect(text(samplePlan({ kind: 'leave' }), pipeLook, false)).toContain('Bring cmp-1 of lab back into service')
  })

  it('names the records that Watcher keeps of having been asked (decision 0015): they are touched', () => {
    const { plan, ...more } = samplePlan()
    const input = { node: 'cmp-1', host: 'cmp-1', planUuid: 'plan-1', auditUuid: 'audit-1', actions: [], excluded: [] }
    const asked = {
      ...more,
      plan: { ...plan, steps: plan.steps.map((step, at) => (at === 0 ? { ...step, input } : step)) },
    }
    const said = text(asked, pipeLook, false)
    expect(said).toContain('Nothing of the cloud has been touched.')
    expect(said).toContain('audit audit-1 with action plan plan-1')
  })

  it('promises no number of migrations where the OpenStack Controller decides it, and tells the reason', () => {
    const { plan, ...more } = samplePlan()
    const onMosk = {
      ...more,
      plan: {
        ...plan,
        flavour: 'mosk',
        steps: plan.steps.filter(({ kind }) => kind !== 'migrate-instances'),
        options: { ...plan.options, reason: 'ticket 1' },
      },
    } as const
    expect(text(onMosk, pipeLook, false)).toContain('scope os, mosk cloud, drain within 30 min, reason: ticket 1')
  })

  it('shows each check: holds, holds with warnings, nothing to do', () => {
    const plan = text(
      samplePlan({ answers: { 'disable-compute': { ...holding('It is disabled already.'), kind: 'done' } } }),
      pipeLook,
      false,
    )
    expect(plan).toMatch(/^ {2}✓ general {2}Node cmp-1 exists: cmp-1 is a node of this cluster\.$/m)
    expect(plan).toMatch(/^ {2}✓ compute {2}Disable nova-compute of cmp-1: nothing to do\. It is disabled already\.$/m)
    expect(plan).toMatch(/^ {2}! general {2}Drain cmp-1: 1 pod to evict, 1 stays\.$/m)
    expect(plan).toMatch(/^ +! Budget rabbitmq-pdb allows no disruption now\.$/m)
  })

  it('shows every instance with action, where that comes from, and why', () => {
    const plan = text(samplePlan(), pipeLook, false)
    expect(plan).toContain('Instances (2)')
    expect(plan).toMatch(/live-migrate +web-1 +ACTIVE +host's mode +moves to another host ! it is locked/)
    expect(plan).toMatch(/goes down +batch-1 +ACTIVE +instance's tag +goes down with the host, as its owner asked/)
  })

  it('shows every pod with its fate and budgets', () => {
    const plan = text(samplePlan(), pipeLook, false)
    expect(plan).toContain('Pods (1 leaves, 1 stays)')
    expect(plan).toMatch(/evict +openstack\/rabbitmq-0 +rabbitmq-pdb: 0 allowed \(3\/3 healthy\)/)
    expect(plan).toMatch(/stays +kube-system\/proxy-x +DaemonSet pod stays/)
  })

  it('says of a budget what its numbers do not', () => {
    const passed = sampleEffects.map(effect =>
      effect.kind === 'pod'
        ? { ...effect, budgets: effect.budgets.map(budget => ({ ...budget, standing: 'passed' as const })) }
        : effect,
    )
    const plan = text(samplePlan({ answers: { 'drain-node': holding('x', passed) } }), pipeLook, false)
    expect(plan).toContain('rabbitmq-pdb: 0 allowed (3/3 healthy), it does not hold this pod')
  })

  it('shows what changes from what to what', () => {
    expect(text(samplePlan(), pipeLook, false)).toContain('nova-compute on cmp-1: enabled → disabled')
  })

  it('counts what it comes to, each thing once, whichever steps told of it', () => {
    const checked = samplePlan({ answers: { 'node-exists': holding('x', sampleEffects) } })
    expect(countsSentence(effectsOf(checked))).toBe(
      '1 live migration, 1 instance that goes down with the node, 1 eviction and 1 change',
    )
    expect(countsSentence({ instances: [], pods: [], changes: [] })).toBe('nothing to change')
    expect(text(checked, pipeLook, false)).toContain('✓ All checks held, with 1 warning at')
  })

  it('names each blocker with its remedy and the flag that would override it', () => {
    const checked = samplePlan({
      startable: false,
      answers: {
        'node-exists': blocking(
          sampleBlocker('instance-in-error', 'force'),
          sampleBlocker('last-replica', 'allow-downtime'),
        ),
      },
    })
    const plan = text(checked, pipeLook, false)
    expect(plan).toContain('✗ general  Node cmp-1 exists')
    expect(plan).toContain('✗ The condition instance-in-error stands in the way.')
    expect(plan).toContain('next: Mend instance-in-error.')
    expect(plan).toContain('--force REASON overrides this.')
    expect(plan).toContain('--allow-downtime REASON overrides this.')
    expect(plan).toContain('It cannot start: 2 blockers in the way (instance-in-error, last-replica).')
    expect(plan).toContain('Can be overridden with --force and --allow-downtime, each with a reason.')
  })

  it('says when no flag overrides a blocker, and why', () => {
    const checked = samplePlan({
      startable: false,
      answers: { 'node-exists': blocking(sampleBlocker('node-unknown', null)) },
    })
    const plan = text(checked, pipeLook, false)
    expect(plan).toContain('Cannot be overridden: the state is unknown.')
    expect(plan).toContain('It cannot start: 1 blocker in the way (node-unknown). No flag overrides this.')
  })

  it('does not promise that a flag is enough when another blocker stays', () => {
    const checked = samplePlan({
      startable: false,
      answers: { 'node-exists': blocking(sampleBlocker('a', null), sampleBlocker('b', 'force')) },
    })
    expect(text(checked, pipeLook, false)).toContain('--force would override some, but not all.')
  })

  it('shows an overridden blocker as overridden, not as blocking, and the reason that was given', () => {
    const checked = samplePlan({
      overrides: [{ flag: 'force', reason: 'tenant agreed' }],
      answers: { 'node-exists': blocking(sampleBlocker('a', 'force')) },
    })
    const plan = text(checked, pipeLook, false)
    expect(plan).toContain('! general  Node cmp-1 exists')
    expect(plan).toContain('! The condition a stands in the way. Overridden by --force.')
    expect(plan).toContain('--force: tenant agreed')
    expect(plan).not.toContain('✗')
  })

  it('shows evidence, why a step exists and how it is undone only when asked for detail', () => {
    expect(text(samplePlan(), pipeLook, false)).not.toContain('node/cmp-1, read')
    const detailed = text(samplePlan(), pipeLook, true)
    expect(detailed).toContain('node/cmp-1, read 10:00:00: ready=True, pods=3')
    expect(detailed).toContain('why: why drain-node exists')
    expect(detailed).toContain('undo: Nothing to undo.')
  })

  it('uses ASCII signs where the locale shows no others', () => {
    const plan = text(
      samplePlan({ startable: false, answers: { 'node-exists': blocking(sampleBlocker('a', null)) } }),
      asciiLook,
      true,
    )
    expect(plan).not.toMatch(/[^\u0000-\u007f]/)
    expect(plan).toContain('x general')
    expect(plan).toContain('enabled -> disabled')
  })

  it.each([60, 80, 100, 160])('fits a terminal of %d columns', columns => {
    const checked = samplePlan({
      answers: {
        'node-exists': blocking(sampleBlocker('a-rather-long-name-of-a-condition', 'force')),
        'drain-node': holding(
          'Many words that go on and on until they do not fit any more, whatever the terminal is.',
          sampleEffects.slice(3),
          ['A warning that is at least as long as the reason above and therefore has to be wrapped as well.'],
        ),
      },
    })
    for (const line of renderPlan(checked, terminalLook(columns), true))
      expect(widthOf(line), line).toBeLessThanOrEqual(columns)
  })
})

describe('a plan of many nodes', () => {
  const lane = (node: string) => ({ batch: 'b', name: node })
  const steps = [
    sampleStep('modes', 'Modes reviewed', { phase: 'prepare' }),
    sampleStep('cordon-1', 'Cordon cmp-1', { lane: lane('cmp-1') }),
    sampleStep('drain-1', 'Drain cmp-1', { lane: lane('cmp-1') }),
    sampleStep('quorum-2', 'Quorum without cmp-2', { lane: lane('cmp-2') }),
    sampleStep('cordon-2', 'Cordon cmp-2', { lane: lane('cmp-2') }),
    sampleStep('clean', 'Ceph is clean', { lane: lane('cmp-3') }),
    sampleStep('later', 'The whole is verified', { phase: 'finalize' }),
  ]
  const base = samplePlan({ startable: false })
  const answers: Readonly<Record<string, CheckAnswer>> = {
    'quorum-2': blocking(sampleBlocker('no-quorum', null)),
    clean: holding('Ceph recovers.', sampleEffects, ['Take no other storage node.']),
  }
  const many: CheckedPlan = {
    ...base,
    plan: asRolling(base.plan, { steps }),
    checks: steps
      .filter(({ id }) => id !== 'later')
      .map(({ id }) => ({ stepId: id, answer: answers[id] ?? holding(`${id} holds.`), overriddenBy: null })),
  }

  it('folded says the verdict of each node, then only what warns or blocks', () => {
    const folded = text(many, pipeLook, false, null, true)
    expect(folded).toMatch(/^ {2}✓ cmp-1 +2 checks hold$/m)
    expect(folded).toMatch(/^ {2}✗ cmp-2 +1 check holds, 1 blocks$/m)
    expect(folded).toContain('The condition no-quorum stands in the way.')
    expect(folded).toMatch(/^ {2}! cmp-3 +1 holds with a warning$/m)
    expect(folded).toContain('Take no other storage node.')
    for (const calm of ['Cordon cmp-1', 'Cordon cmp-2', 'Modes reviewed']) expect(folded).not.toContain(calm)
    expect(folded).toContain('--all prints every check, instance and pod.')
  })

  it('folded never says that what cannot be looked at beforehand holds', () => {
    expect(text(many, pipeLook, false, null, true)).toMatch(/^ {2}· finalize +1 to be seen on the way$/m)
  })

  it('folded keeps instances that do not simply move, and counts the others', () => {
    const folded = text(many, pipeLook, false, null, true)
    expect(folded).toMatch(/^Instances: .*live-migrate: 1/m)
    expect(folded).toContain('it is locked')
  })

  it('in full has every check', () => {
    for (const { title } of steps) expect(text(many, pipeLook, false)).toContain(title)
  })
})
