import type { Catcher, Mutant } from '../mutant.ts'

const DOWN = 'main/procedures/steps/compute/compute-service-down.ts'
const OFF = 'main/procedures/steps/general/machine-off.ts'
const SILENCE = 'main/procedures/steps/compute/compute-silence.ts'
const EVACUATE = 'main/procedures/steps/compute/evacuate-instance.ts'
const RESCUE = 'main/procedures/steps/compute/rescue-instances.ts'
const FORCE_DOWN = 'main/procedures/steps/compute/force-down-compute.ts'
const FORCE_UP = 'main/procedures/steps/compute/force-up-compute.ts'
const AWAY = 'main/procedures/steps/general/machine-away.ts'
const TAINT = 'main/procedures/steps/general/out-of-service-taint.ts'
const POLICY = 'shared/domain/rescue.ts'

/** When instances of a machine are built a second time elsewhere: never while the first may run. */
export const RESCUE_MUTANTS: readonly Mutant[] = [
  {
    name: 'rescue-nobody-said-off',
    harm: 'A machine that is only cut off from the network loses its instances to second copies, which write to the same volumes.',
    changes: [{ file: OFF, from: "(said === '' ?", to: "(said === '-' ?" }],
    caughtBy: rescue('never because it does not answer: somebody has to say so'),
  },
  {
    name: 'rescue-kubelet-reports',
    harm: 'Instances of a machine that runs are started a second time.',
    changes: [
      { file: OFF, from: "if (readiness === 'unknown') return null", to: "if (readiness !== 'ready') return null" },
    ],
    caughtBy: rescue('never while its kubelet reports, be it not-ready'),
  },
  {
    name: 'rescue-compute-up',
    harm: 'Instances of a host that Nova takes for alive are sent to be rebuilt.',
    changes: [{ file: DOWN, from: "if (state === 'up') return", to: 'if (false) return' }],
    caughtBy: rescue('never while its nova-compute is up'),
  },
  {
    name: 'rescue-forced-down-and-reports',
    harm: 'A host that somebody forced down while it lives has its instances started a second time.',
    changes: [
      { file: DOWN, from: 'return changedMs > SILENT_AFTER_MS ?', to: 'return changedMs > -SILENT_AFTER_MS ?' },
    ],
    caughtBy: rescue('never while its nova-compute was forced down by somebody and reported just now'),
  },
  {
    name: 'rescue-time-not-told',
    harm: 'A host of which Nova reports no time is taken for silent.',
    changes: [
      {
        file: DOWN,
        from: 'if (updatedAt === null) return [reportsBlocker(host, null)]',
        to: 'if (updatedAt === null) return []',
      },
    ],
    caughtBy: rescue(
      'never while its nova-compute was forced down by somebody, and Nova does not tell when it changed',
    ),
  },
  {
    name: 'rescue-cell-down',
    harm: 'With its cell silent, what is on the host is guessed.',
    changes: [{ file: DOWN, from: "if (id === '') return", to: 'if (false) return' }],
    caughtBy: rescue('never while its nova-compute is of a cell that does not answer'),
  },
  {
    name: 'rescue-not-watched',
    harm: 'If our clock is ahead, a living host counts as silent.',
    changes: [{ file: SILENCE, from: 'if (now.updatedAt !== updatedAt)', to: 'if (false)' }],
    caughtBy: rescue('makes no nova-compute silent that reports during the reading'),
  },
  {
    name: 'rescue-watched-for-a-moment',
    harm: 'A host that reports every ten seconds is watched for less than that.',
    changes: [{ file: SILENCE, from: 'WATCHED_FOR_MS = 25_000', to: 'WATCHED_FOR_MS = 5_000' }],
    caughtBy: rescue('makes no nova-compute silent that reports during the reading'),
  },
  {
    name: 'rescue-goes-on-when-the-machine-is-back',
    harm: 'A machine that was switched on in the middle has the rest of its instances started twice.',
    changes: [
      { file: EVACUATE, from: '  if (!dead.ok) return hopeless(dead.failure)\n', to: '' },
      { file: EVACUATE, from: 'return dead.ok ? cloudOf(ctx)', to: 'return true ? cloudOf(ctx)' },
    ],
    caughtBy: rescue('are no longer touched once nova-compute reports, although it is forced down'),
  },
  {
    name: 'rescue-sends-again-without-a-look',
    harm: 'A request that is sent again after minutes rebuilds an instance that runs again on its own host.',
    changes: [{ file: EVACUATE, from: 'return dead.ok ? cloudOf(ctx)', to: 'return true ? cloudOf(ctx)' }],
    caughtBy: attacked('is not sent again to a host that reported meanwhile'),
  },
  {
    name: 'rescue-force-down-records-nothing',
    harm: 'A machine that returned and fell silent again, while the run had no driver, is evacuated.',
    changes: [
      {
        file: FORCE_DOWN,
        from: '    if (after.value.forcedDown) recordLastReport(after.value, ctx)\n',
        to: '',
      },
    ],
    caughtBy: rescue('the record is kept as soon as it is forced down, before anybody can miss a report'),
  },
  {
    name: 'rescue-resumed-compares-with-itself',
    harm: 'A resumed rescue evacuates a host that came back while nobody watched it.',
    changes: [{ file: SILENCE, from: ' || recorded.updatedAt !== updatedAt)', to: ')' }],
    caughtBy: rescue('a later process compares with that record'),
  },
  {
    name: 'rescue-compares-with-its-own-step-alone',
    harm: 'What was recorded as nova-compute was forced down is not compared with: a host that came back before the first evacuation is evacuated.',
    changes: [{ file: SILENCE, from: '    .runHistory()\n    .find(', to: '    .history()\n    .find(' }],
    caughtBy: rescue('also with what the step recorded that forced it down, before this one began'),
  },
  {
    name: 'rescue-gap-of-the-force-down',
    harm: 'A run that was killed as it forced nova-compute down takes what Nova reports a day later for what it reported then.',
    changes: [{ file: FORCE_DOWN, from: 'if (isUnrecorded(ctx)) return', to: 'if (host === "") return' }],
    caughtBy: rescue('does not take Nova’s present answer for the earlier one'),
  },
  {
    name: 'rescue-machine-that-was-back',
    harm: 'A machine that came back after a person said that it is off, and was cut off from the network, has its instances started twice.',
    changes: [{ file: AWAY, from: ' || readinessSince === input.silentSince)', to: ' || readinessSince !== "")' }],
    caughtBy: rescue('and was lost again has none of its instances rebuilt'),
  },
  {
    name: 'taint-on-a-machine-whose-nova-compute-reports',
    harm: 'Volumes of pods that run are detached and mounted elsewhere, though Nova shows that the machine runs.',
    changes: [{ file: TAINT, from: ', await reportedNothing(ctx)]', to: ']' }],
    caughtBy: rescue('is not put on one whose nova-compute reported since it was forced down'),
  },
  {
    name: 'rescue-plan-forgets-since-when',
    harm: 'No step of a rescue knows how the machine was when a person decided.',
    changes: [
      {
        file: AWAY,
        from: "return readiness === 'unknown' && readinessSince !== null ?",
        to: 'return readinessSince === "" ?',
      },
    ],
    caughtBy: rescue('keeps the time of the machine’s last report'),
  },
  {
    name: 'rescue-resumed-without-a-watch',
    harm: 'A resumed rescue takes a host that is about to report for a silent one.',
    changes: [
      {
        file: SILENCE,
        from: 'const reported = await reportWhileWatched(service, ctx)',
        to: 'const reported = ok<{ at: string } | null>(null)',
      },
    ],
    caughtBy: rescue('it is watched for longer than two reports: again by each later process'),
  },
  {
    name: 'rescue-goes-on-when-the-kubelet-is-back',
    harm: 'An instance is rebuilt though the kubelet of its machine reports again.',
    changes: [
      { file: EVACUATE, from: 'return away.ok ? isSilent() : away', to: 'return away === null ? away : isSilent()' },
    ],
    caughtBy: rescue('are no longer touched once the machine reports again'),
  },
  {
    name: 'rescue-report-taken-for-silence',
    harm: 'That nova-compute reports while instances are rebuilt is not seen.',
    changes: [{ file: SILENCE, from: 'return now.updatedAt === updatedAt ?', to: 'return now !== null ?' }],
    caughtBy: rescue('are no longer touched once nova-compute reports, although it is forced down'),
  },
  {
    name: 'rescue-forces-down-what-is-up',
    harm: 'A host that lives is forced down: Nova no longer counts what runs there.',
    changes: [{ file: FORCE_DOWN, from: "    if (state === 'up') {\n", to: '    if (false) {\n' }],
    caughtBy: rescue('that is up is not forced down, whatever was planned'),
  },
  {
    name: 'rescue-notes-the-force-down-of-others',
    harm: 'What somebody else forced down is forced up by the way back.',
    changes: [
      { file: FORCE_DOWN, from: 'const noted = forcedDown\n', to: 'const noted = !forcedDown && forcedDown\n' },
    ],
    caughtBy: rescue('that somebody else disabled keeps its reason, and one that they forced down gets no note'),
  },
  {
    name: 'rescue-takes-over-a-reason',
    harm: 'A host that somebody disabled for a broken disk is enabled by the way back.',
    changes: [
      {
        file: FORCE_DOWN,
        from: "const reason = status === 'disabled' ? null :",
        to: 'const reason = status === null ? null :',
      },
    ],
    caughtBy: rescue('that somebody else disabled keeps its reason, and one that they forced down gets no note'),
  },
  {
    name: 'rescue-verifies-without-force-down',
    harm: 'Instances are rebuilt though the host was brought up meanwhile.',
    changes: [
      {
        file: FORCE_DOWN,
        from: "return forcedDown && state === 'down' && status === 'disabled'\n",
        to: "return state === 'down' || status === 'disabled'\n",
      },
    ],
    caughtBy: rescue('is verified as forced down only while it is down, disabled and forced down'),
  },
  {
    name: 'rescue-order',
    harm: 'Instances are rebuilt before the host is forced down: one that reports again starts them a second time.',
    changes: [
      {
        file: 'main/procedures/plans/node/rescue.ts',
        from: 'planStep(rescueInstances, off, { needs: [forceDownCompute.kind] })',
        to: 'planStep(rescueInstances, off, { needs: [cordoned.id] })',
      },
    ],
    caughtBy: rescue('rebuilds nothing before nova-compute is forced down'),
  },
  {
    name: 'rescue-up-before-it-is-heard',
    harm: 'A host that is still off gets instances scheduled onto it.',
    changes: [{ file: FORCE_UP, from: 'isAnswering ||= updatedAt !== before', to: 'isAnswering ||= updatedAt !== ""' }],
    caughtBy: rescue('that never reports stays forced down'),
  },
  {
    name: 'rescue-up-before-it-cleaned-up',
    harm: 'Nova takes a host with old copies of evacuated instances for sound.',
    changes: [{ file: FORCE_UP, from: 'if (isAnswering && left.length === 0) {', to: 'if (isAnswering) {' }],
    caughtBy: rescue('is no longer forced down once it reports and has cleaned up, and not before'),
  },
  {
    name: 'taint-on-a-node-that-reports',
    harm: 'Volumes of pods that run are detached and mounted elsewhere.',
    changes: [{ file: TAINT, from: '    if (reports !== null) {\n', to: '    if (false) {\n' }],
    caughtBy: rescue('is put on no node that reports'),
  },
  {
    name: 'taint-without-a-note',
    harm: 'Nobody knows on the way back that the taint is ours, and the node stays out of service.',
    changes: [
      {
        file: TAINT,
        from: "  if (!noted.ok) return { kind: 'failed' as const, failure: noted.failure }\n",
        to: '',
      },
      {
        file: TAINT,
        from: 'const noted = await kubernetes.annotateNode(name, { [OUT_OF_SERVICE_ANNOTATION]: ctx.runId }, ctx.signal)\n',
        to: '',
      },
    ],
    caughtBy: rescue('is put on it with a note, and taken back by the same'),
  },
  {
    name: 'rescue-local-disk-lost-unasked',
    harm: 'The data of an instance with a local disk is lost without anybody accepting that.',
    changes: [
      { file: POLICY, from: 'if (acceptsDataLoss) return', to: 'if (acceptsDataLoss || disk !== null) return' },
    ],
    caughtBy: domain('keeps it where it is until somebody answers for it'),
  },
  {
    name: 'rescue-busy-instance',
    harm: 'An instance that is being rebuilt is built twice on the same volumes.',
    changes: [{ file: POLICY, from: 'if (taskState !== null) {', to: 'if (false) {' }],
    caughtBy: domain('stays by TaskMayNotEnd, whatever is accepted'),
  },
  {
    name: 'rescue-instance-of-a-silent-cell',
    harm: 'An instance of which Nova cannot report how it is, is rebuilt.',
    changes: [{ file: POLICY, from: 'if (instance.partial) return', to: 'if (false) return' }],
    caughtBy: domain('stays by StateNotTold, whatever is accepted'),
  },
  {
    name: 'rescue-without-a-place',
    harm: 'Nova puts an instance that has nowhere to go into ERROR.',
    changes: [
      {
        file: 'main/procedures/steps/compute/read-rescue.ts',
        from: 'place !== null && place.mayGoTo.length > 0',
        to: 'place !== null',
      },
    ],
    caughtBy: rescue('one without a place blocks, and with force is left rather than put into ERROR'),
  },
  {
    name: 'rescue-asked-twice',
    harm: 'A request to evacuate whose answer was lost is sent again while the first is on its way.',
    changes: [
      {
        file: 'main/procedures/steps/compute/evacuate-instance.ts',
        from: '  await ctx.clock.sleep(LOOKS_APART_MS, ctx.signal)\n  return ctx.retryTransient(instanceSubject(id), () => look(id, ctx))',
        to: '  return first',
      },
    ],
    caughtBy: attacked('of an earlier process neither'),
  },
  {
    name: 'rescue-unread-taken-for-gone',
    harm: 'An instance that cannot be read is reported as deleted, and its rebuild is followed no more.',
    changes: [
      {
        file: RESCUE,
        from: "else if (read.failure.code !== 'not-found') return read\n",
        to: "else if (read.failure.code === 'aborted') return read\n",
      },
    ],
    caughtBy: rescue('are not called gone where a requested one cannot be read'),
  },
]

function rescue(title: string): Catcher {
  return { kind: 'test', file: 'test/unit/procedures/rescue.test.ts', title }
}

function attacked(title: string): Catcher {
  return { kind: 'test', file: 'test/unit/procedures/rescue-attacked.test.ts', title }
}

function domain(title: string): Catcher {
  return { kind: 'test', file: 'test/unit/domain/rescue.test.ts', title }
}
