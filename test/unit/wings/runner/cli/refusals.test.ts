import { refusesLines } from '../../../../fixtures/cli/refused.ts'

refusesLines('a command line about runs in the cluster that nobody can mean', 'transcripts/refusals.txt', {
  'Runs in the cluster': [
    'enter lab cmp-1 --yes --campaign night',
    'enter lab cmp-1 --yes --start-after 2026-11-25T22:00Z',
    'enter lab cmp-1 --yes --resume-policy never',
    'enter lab cmp-1 --yes --in-cluster --not-after tomorrow',
    'enter lab cmp-1 --yes --in-cluster --not-after "2026-11-25 22:00"',
    'enter lab cmp-1 --yes --in-cluster --start-after 2026-11-25T22:00Z --not-after 2026-11-25T22:00+01:00',
    'runner campaign create lab night',
    'runner campaign create lab night --batch a,,b',
    'runner campaign abort lab night',
    'run hand-over 0f3a',
  ],
})
