import { describe, expect, it } from 'vitest'
import { countsSentence } from '../../../../main/faces/cli/render/plan-counts.ts'
import { renderPlan } from '../../../../main/faces/cli/render/render-plan.ts'
import { widthOf } from '../../../../main/faces/cli/words/width.ts'
import type { CheckedPlan } from '../../../../shared/domain/plan.ts'
import { effectsOf } from '../../../../shared/domain/plan-effects.ts'
import type { Blocker, CheckAnswer } from '../../../../shared/domain/step-answers.ts'
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
import { transcript } from '../../../fixtures/cli/session.ts'

const text = (...args: Parameters<typeof renderPlan>) => renderPlan(...args).join('\n')

describe('a plan', () => {
  it('reads as it should', async () => {
    const { plan, ...more } = samplePlan()
    const input = { node: 'cmp-1', host: 'cmp-1', planUuid: 'plan-1', auditUuid: 'audit-1', actions: [], excluded: [] }
    const watched = plan.steps.map((step, at) => (at === 0 ? { ...step, input } : step))
    const unmoved = plan.steps.filter(({ kind }) => kind !== 'migrate-instances')
    const blocked = (...blockers: readonly Blocker[]) =>
      samplePlan({ startable: false, answers: { 'node-exists': blocking(...blockers) } })
    const passed = sampleEffects.map(effect =>
      effect.kind === 'pod'
        ? { ...effect, budgets: effect.budgets.map(budget => ({ ...budget, status: 'passed' as const })) }
        : effect,
    )
    const shown = (checked: CheckedPlan, verbose = false) => renderPlan(checked, pipeLook, verbose)
    const parts = {
      'It can start': shown(samplePlan()),
      'Back into service, of which a step is done already': shown(
        samplePlan({
          kind: 'leave',
          answers: { 'disable-compute': { ...holding('It is disabled already.'), kind: 'done' } },
        }),
      ),
      'With its evidence': shown(samplePlan(), true),
      'Watcher keeps records of having been asked (decision 0015)': shown({
        ...more,
        plan: { ...plan, steps: watched },
      }),
      'The OpenStack Controller decides how many move at once': shown({
        ...more,
        plan: { ...plan, flavour: 'mosk', steps: unmoved, options: { ...plan.options, reason: 'ticket 1' } },
      }),
      'A budget that does not hold its pod': shown(samplePlan({ answers: { 'drain-node': holding('x', passed) } })),
      'Blocked, and flags override it': shown(
        blocked(sampleBlocker('InstanceInError', 'force'), sampleBlocker('last-replica', 'allow-downtime')),
      ),
      'Blocked, and no flag overrides it': shown(blocked(sampleBlocker('node-unknown', null))),
      'Blocked, and a flag overrides a part of it': shown(
        blocked(sampleBlocker('a', null), sampleBlocker('b', 'force')),
      ),
      Overridden: shown(
        samplePlan({
          overrides: [{ flag: 'force', reason: 'tenant agreed' }],
          answers: { 'node-exists': blocking(sampleBlocker('a', 'force')) },
        }),
      ),
      'In a terminal of 60 columns': renderPlan(blocked(sampleBlocker('a', 'force')), terminalLook(60), true),
    }
    await expect(transcript(parts)).toMatchFileSnapshot('transcripts/plan.txt')
  })

  it('counts its effects, each once, whichever steps name it', () => {
    const checked = samplePlan({ answers: { 'node-exists': holding('x', sampleEffects) } })
    expect(countsSentence(effectsOf(checked))).toBe(
      '1 live migration, 1 instance that stops with the node, 1 eviction and 1 change',
    )
    expect(countsSentence({ instances: [], pods: [], changes: [] })).toBe('nothing to change')
  })

  it('names each blocker with its remedy and the flag that would override it', () => {
    const checked = samplePlan({
      startable: false,
      answers: {
        'node-exists': blocking(
          sampleBlocker('InstanceInError', 'force'),
          sampleBlocker('last-replica', 'allow-downtime'),
        ),
      },
    })
    const plan = text(checked, pipeLook, false)
    expect(plan).toContain('✗ general  Node cmp-1 exists')
    expect(plan).toContain('✗ The condition InstanceInError blocks this.')
    expect(plan).toContain('next: Fix InstanceInError.')
    expect(plan).toContain('--force REASON starts anyway.')
    expect(plan).toContain('--allow-downtime REASON starts anyway.')
    expect(plan).toContain('It cannot start: 2 things block this (InstanceInError, last-replica).')
    expect(plan).toContain('--force and --allow-downtime start it anyway, each with a reason.')
  })

  it('says when no flag overrides a blocker, and why', () => {
    const checked = samplePlan({
      startable: false,
      answers: { 'node-exists': blocking(sampleBlocker('node-unknown', null)) },
    })
    const plan = text(checked, pipeLook, false)
    expect(plan).toContain('No flag starts it anyway: the state is unknown.')
    expect(plan).toContain('It cannot start: 1 thing blocks this (node-unknown). No flag starts it anyway.')
  })

  it('does not promise that a flag is enough when another blocker stays', () => {
    const checked = samplePlan({
      startable: false,
      answers: { 'node-exists': blocking(sampleBlocker('a', null), sampleBlocker('b', 'force')) },
    })
    expect(text(checked, pipeLook, false)).toContain('--force would lift some, but not all.')
  })

  it('shows an overridden blocker as overridden, not as blocking, and the reason that was given', () => {
    const checked = samplePlan({
      overrides: [{ flag: 'force', reason: 'tenant agreed' }],
      answers: { 'node-exists': blocking(sampleBlocker('a', 'force')) },
    })
    const plan = text(checked, pipeLook, false)
    expect(plan).toContain('! general  Node cmp-1 exists')
    expect(plan).toContain('! The condition a blocks this. Starts anyway, with --force.')
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
  })

  it.each([60, 80, 100, 160])('fits a terminal of %d columns', columns => {
    const checked = samplePlan({
      answers: {
        'node-exists': blocking(sampleBlocker('a-rather-long-name-of-a-condition', 'force')),
        'drain-node': holding(
          'Many words that continue and continue until no terminal has room for all of them.',
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

  it('reads as it should, folded and in full', async () => {
    const parts = {
      Folded: renderPlan(many, pipeLook, false, null, true),
      'In full': renderPlan(many, pipeLook, false),
    }
    await expect(transcript(parts)).toMatchFileSnapshot('transcripts/plan-of-many-nodes.txt')
  })

  it('folded never claims that an unreadable check passes', () => {
    expect(text(many, pipeLook, false, null, true)).not.toMatch(/finalize.*hold/)
  })
})
