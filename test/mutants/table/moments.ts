import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { ENGINE, KUBERNETES, OPENSTACK, STEPS } from '../places.ts'

/** What changed since the plan is seen right before the effect, and an answer of the past is not one of now (docs/decisions/0029). */
export const MOMENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'an-instance-is-moved-wherever-it-is',
    harm: 'An instance that somebody moved away is migrated off its new host.',
    changes: [
      {
        file: `${STEPS}/compute/move-attempt.ts`,
        from: '  if (now.host !== source.host) {\n    return settled(',
        to: '  if (now.host === null) {\n    return settled(',
      },
      {
        file: `${STEPS}/compute/migrate-instance.ts`,
        from: '  if (instance.host !== source.host)\n',
        to: '  if (instance.host === null)\n',
      },
    ],
    caughtBy: unit(
      'procedures/answers-of-the-past',
      'before an instance is asked to move it is read again, and left alone where it is on another host by then',
    ),
  },
  {
    name: 'a-record-that-says-it-went-is-ignored',
    harm: 'An instance that arrived elsewhere is migrated once more by an old answer.',
    changes: [
      {
        file: `${STEPS}/compute/move-attempt.ts`,
        from: 'if (last !== undefined && contradicts(last, now) && !isChangedSince(last, now)) {',
        to: 'if (last !== undefined && contradicts(last, now) && last.id < 0) {',
      },
    ],
    caughtBy: unit(
      'procedures/answers-of-the-past',
      "before an instance is asked to move whether a move is requested is false where the newest record says that it 'went elsewhere after it was changed'",
    ),
  },
  {
    name: 'an-instance-told-as-before-is-asked-again',
    harm: 'An instance whose request Nova agreed to is migrated once more by an old answer.',
    changes: [
      {
        file: `${STEPS}/compute/move-attempt.ts`,
        from: 'if (unseenSince !== null && now.updatedAt !== null && now.updatedAt <= unseenSince) {',
        to: "if (unseenSince !== null && now.updatedAt !== null && now.updatedAt < '') {",
      },
    ],
    caughtBy: unit(
      'procedures/answers-of-the-past',
      'an instance that Nova reports in its old place is not migrated again where no record shows either, nor once a person says to retry',
    ),
  },
  {
    name: 'a-lost-request-is-sent-at-once-again',
    harm: 'A migration whose answer was lost is requested twice.',
    changes: [
      { file: `${STEPS}/compute/send-attempt.ts`, from: '        if (arrived.value) return ok(undefined)\n', to: '' },
    ],
    caughtBy: unit(
      'procedures/cold-moves',
      'migration ruled out by the operator an instance that left while a stop of it was refused is not asked to stop again',
    ),
  },
  {
    name: 'osds-are-stopped-by-the-answer-of-the-plan',
    harm: 'OSDs are stopped although Ceph says by now that data would be unavailable.',
    changes: [
      { file: `${STEPS}/storage/stop-osds.ts`, from: '  guard: whyUnsafe,\n', to: '' },
      {
        file: `${STEPS}/storage/stop-osds.ts`,
        from: 'async function whyUnsafe(',
        to: 'export async function whyUnsafe(',
      },
    ],
    caughtBy: unit(
      'procedures/storage/osds',
      'rook: OSDs are not stopped when that became unsafe since the plan was made (docs/domain.md B.1, defect 5)',
    ),
  },
  {
    name: 'a-cordon-of-somebody-else-is-claimed',
    harm: 'A node that somebody else cordoned counts as cordoned by the run, and is uncordoned with it.',
    changes: [
      {
        file: `${STEPS}/general/cordon-node.ts`,
        from: "    if (now.value.unschedulable) return applied(found('WasCordoned', { node: name }))\n",
        to: '',
      },
    ],
    caughtBy: unit(
      'procedures/undo',
      'what is not this run’s is not announced: a node that somebody cordoned right before',
    ),
  },
  {
    name: 'a-cordon-is-taken-back-whosever-it-is',
    harm: 'An undo uncordons a node that somebody else cordoned meanwhile.',
    changes: [{ file: `${STEPS}/general/take-back-cordon.ts`, from: '      if (why !== null) return why\n', to: '' }],
    caughtBy: unit(
      'procedures/take-back-cordon',
      'a cordon that is not the run’s that a person set since, stays, and the step says whose it is and since when',
    ),
  },
  {
    name: 'a-reason-of-others-is-enabled',
    harm: 'nova-compute that somebody disabled meanwhile is enabled.',
    changes: [
      {
        file: `${STEPS}/compute/enable-compute.ts`,
        from: '    if (!isToEnable(input, disabledReason)) {\n      return applied(',
        to: "    if (id === '') {\n      return applied(",
      },
    ],
    caughtBy: unit(
      'procedures/checks',
      'the compute service stays disabled when somebody else disabled it, and the answer says so',
    ),
  },
  {
    name: 'the-reason-of-others-is-overwritten',
    harm: 'Why somebody else disabled nova-compute is lost.',
    changes: [
      {
        file: `${STEPS}/compute/disable-compute.ts`,
        from: "if (status === 'disabled' && !isReasonOfNova(before)) return applied(",
        to: "if (id === '') return applied(",
      },
    ],
    caughtBy: unit(
      'procedures/checks',
      'the compute service somebody else’s reason is never overwritten on the way in',
    ),
  },
  {
    name: 'a-request-is-made-beside-another-holder',
    harm: 'A node is requested while another run holds it.',
    changes: [
      {
        file: `${STEPS}/requests/request-node-maintenance.ts`,
        from: 'if (holder.value !== null && holder.value.runId !== ctx.runId) {',
        to: "if (holder.value !== null && holder.value.runId === '') {",
      },
    ],
    caughtBy: unit(
      'procedures/request-steps',
      'a node is not requested while another run holds its Lease: a person is asked',
    ),
  },
  {
    name: 'a-request-is-made-while-one-terminates',
    harm: 'A node that comes back from a maintenance is taken again half way.',
    changes: [
      {
        file: `${STEPS}/requests/request-node-maintenance.ts`,
        from: '    if (going !== undefined) {',
        to: "    if (going?.name === '') {",
      },
    ],
    caughtBy: unit(
      'procedures/request-steps',
      'a node is not requested while it comes back from an earlier maintenance: a person is asked',
    ),
  },
  {
    name: 'an-undo-removes-requests-of-others',
    harm: 'The maintenance request of another run is removed.',
    changes: [
      {
        file: `${STEPS}/requests/remove-node-request.ts`,
        from: "      if (typeof input.of === 'string' && runOf(request) !== input.of) continue\n",
        to: '',
      },
    ],
    caughtBy: unit(
      'procedures/request-steps',
      'an undo removes the request of the run that it undoes, by its UID, and no other',
    ),
  },
  {
    name: 'a-taint-on-a-node-that-reports',
    harm: 'Pods of a machine that runs again are removed by force.',
    changes: [
      {
        file: `${STEPS}/general/out-of-service-taint.ts`,
        from: '    if (reports !== null) {',
        to: "    if (reports?.node === '') {",
      },
    ],
    caughtBy: unit('procedures/rescue', 'the taint of a machine that is off is put on no node that reports'),
  },
  {
    name: 'a-lane-begins-by-old-checks',
    harm: 'A node of a batch starts on checks that are hours old.',
    changes: [
      {
        file: `${ENGINE}/walk-batch.ts`,
        from: 'const fresh = begun || !hasTouched(record) ? answers : await checkLane(lane, drive)',
        to: 'const fresh = begun || hasTouched(record) ? answers : await checkLane(lane, drive)',
      },
    ],
    caughtBy: unit(
      'runs/engine/lanes',
      'lanes of a batch a lane whose checks fail when its turn comes asks before it changes anything',
    ),
  },
  {
    name: 'nothing-to-do-by-an-old-check',
    harm: 'A step that an earlier step made necessary is passed as done.',
    changes: [
      {
        file: `${ENGINE}/walk-step.ts`,
        from: "const now = checked?.kind === 'done' && hasTouched(record) ? (await checkSteps([step], drive)).get(step.id) : checked",
        to: 'const now = checked',
      },
    ],
    caughtBy: unit(
      'runs/engine/defences',
      'a run and the world that changes under it a step that had nothing to do at first is applied when an earlier step changed that',
    ),
  },
  {
    name: 'lists-of-the-past-are-believed',
    harm: 'A list of an API server that is behind hides the pods that came since.',
    changes: [
      {
        file: `${KUBERNETES}/newest-versions.ts`,
        from: 'if (newest !== null && number < newest) throw ofPast(null, number, newest)',
        to: '',
      },
    ],
    caughtBy: unit('adapters/kubernetes/list', 'an outdated list is refused: an earlier answer was newer'),
  },
  {
    name: 'objects-of-the-past-are-believed',
    harm: 'A node counts as cordoned by an answer from before somebody uncordoned it.',
    changes: [
      {
        file: `${KUBERNETES}/newest-versions.ts`,
        from: 'if (newest !== null && number < newest) throw ofPast(name, number, newest)',
        to: '',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/newest-versions',
      'an answer of the past is not the present an object older than itself is refused; another one may be older',
    ),
  },
  {
    name: 'rows-of-the-past-are-believed',
    harm: 'An instance counts as moved by an answer of a database that is behind.',
    changes: [
      {
        file: `${OPENSTACK}/ask-service.ts`,
        from: 'return past[0] === undefined ? ok(parsed.data)',
        to: 'return past !== undefined ? ok(parsed.data)',
      },
    ],
    caughtBy: unit(
      'adapters/openstack/newest-rows',
      'a list of which all rows went back is believed after ten minutes, not after ten for each',
    ),
  },
  {
    name: 'an-answer-heard-before-is-believed',
    harm: 'A cached answer of OpenStack counts as one of now.',
    changes: [
      {
        file: 'main/platform/clock/fresh-answers.ts',
        from: 'if (answer.id !== null && isReceivedBefore(answer.id))',
        to: "if (answer.id === '' && isReceivedBefore(answer.id))",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/own-answers',
      'an answer is outdated when its Audit-Id came with another request',
    ),
  },
  {
    name: 'an-old-date-is-believed',
    harm: 'An answer that a cache kept for an hour counts as one of now.',
    changes: [
      {
        file: 'main/platform/clock/fresh-answers.ts',
        from: 'if (behindMs > APART_MS) {',
        to: 'if (behindMs > APART_MS * 1e9) {',
      },
    ],
    caughtBy: unit('adapters/kubernetes/own-answers', 'an answer is outdated when its Date goes back'),
  },
  {
    name: 'an-age-is-ignored',
    harm: 'An answer that says that it is minutes old counts as one of now.',
    changes: [
      {
        file: 'main/platform/clock/fresh-answers.ts',
        from: 'if (age * 1_000 > receivedMs - answer.askedMs)',
        to: 'if (age * 1_000 > receivedMs - answer.askedMs + 1e12)',
      },
    ],
    caughtBy: unit('adapters/kubernetes/own-answers', 'an answer is outdated when it has an Age'),
  },
  {
    name: 'openstacks-past-is-an-answer',
    harm: 'What headers show to be of the past is believed of OpenStack.',
    changes: [
      {
        file: `${OPENSTACK}/fresh-answers.ts`,
        from: 'return why === null ? outcome',
        to: 'return why !== undefined ? outcome',
      },
    ],
    caughtBy: unit(
      'adapters/openstack/fresh-answers',
      'an answer with a request id that was received before is outdated, whatever its status and header',
    ),
  },
  {
    name: 'another-requests-answer-is-believed',
    harm: 'What a proxy kept for somebody else counts as the API server’s answer.',
    changes: [
      { file: `${KUBERNETES}/own-answers.ts`, from: 'return whyAnothers(method, question, id)', to: 'return null' },
    ],
    caughtBy: unit(
      'adapters/kubernetes/own-answers',
      'the very first list of a session is not believed when a cache tells it, whatever else the cache knows',
    ),
  },
]
