/** The integration tests that `npm test` runs, each with the promise to the operator that it protects. All others run in `npm run test:all`. */
export const CORE_CONSOLES: Readonly<Record<string, string>> = {
  'test/integration/api/effects.test.ts': 'a request that says that it only reads changes nothing, whatever its input',
  'test/integration/api/home-and-undo.test.ts':
    'an undo restores exactly what its run changed, and nothing of anybody else',
  'test/integration/api/rights.test.ts': 'the published roles grant what plans ask for',
  'test/integration/api/two-consoles.test.ts': 'a second console sees each event of a run once and in order',
  'test/integration/wings/runner/attach/hand-over.test.ts':
    'a run that is handed to a runner is driven in one place, and each instance moves once',
  'test/integration/cli/flaky-cloud.test.ts':
    'an API that fails now and then is asked again, and nothing is requested twice',
  'test/integration/cli/kill-and-resume.test.ts':
    'a console that is killed at any moment resumes with nothing done twice and nothing left out',
  'test/integration/cli/rescue.test.ts': 'a dead host is rescued once, and a living one never',
  'test/integration/cli/unresolved-instance.test.ts':
    'an instance that does not move becomes a question, and each answer leads somewhere',
  'test/integration/journal/care.test.ts': 'a journal is imported, pruned and exported in its own folder alone',
  'test/integration/journal/full-disk.test.ts': 'a full disk stops a run and loses no event',
  'test/integration/journal/read-only-console.test.ts': 'a journal of a newer version is shown and never written',
  'test/integration/lies/lying-answers.test.ts': 'a server that lies makes no step verified',
  'test/integration/transient-retry/storms.test.ts':
    'a cloud that fails for minutes and a laptop that sleeps cost nothing but time',
  'test/integration/procedures/mosk-killed.test.ts':
    'a maintenance through the node maintenance API that is killed and resumed makes one request',
  'test/integration/procedures/stuck-migrations.test.ts':
    'a migration that does not end is decided by rule or by a person',
  'test/integration/reports/window-report.test.ts': 'a report tells what the journal holds, and can be verified',
  'test/integration/wings/runner/health-server.test.ts':
    'connections that say nothing keep nobody from the health of a runner',
  'test/integration/wings/runner/killed-runner.test.ts':
    'a runner that is killed leaves its runs to the next one, with nothing done twice',
  'test/integration/secrets/client-errors.test.ts': 'an error of a client holds no secret',
  'test/integration/secrets/contract.test.ts': 'no answer, failure, event, log or journal holds a secret',
  'test/integration/secrets/step-crashes.test.ts': 'a step that crashes shows no secret',
  'test/integration/serve/attacks.test.ts':
    'only our own page with its key is answered, and no packet ends the console',
  'test/integration/serve/door.test.ts': 'the token of an address opens the console once',
  'test/integration/serve/program-socket.test.ts': 'a program that attaches may ask only what it is allowed to',
  'test/integration/serve/socket.test.ts': 'a socket belongs to the tab whose key opened it',
  'test/integration/serve/tab.test.ts': 'a tab keeps its key to itself',
  'test/integration/wings/notify/webhooks.test.ts':
    'a receiver hears of an event once, signed, and again after a failure',
  'test/integration/sunbeam/troubles.test.ts':
    'what Juju, Watcher and Ceph fail at half way is told and taken up again',
  'test/integration/updates/published.test.ts': 'a new version whose content is not what its channel says is refused',
  'test/integration/view/live-view.test.ts': 'what is shown is live, or says how old it is',
  'test/integration/windows/batches.test.ts': 'a batch never takes more nodes than its limits allow',
  'test/integration/windows/two-clouds.test.ts': 'two windows run at once, and a second driver is refused',
  'test/integration/windows/who-may-start.test.ts': 'a disruptive run starts only in its window, or with a reason',
}
