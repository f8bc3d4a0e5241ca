/** The integration tests that `npm test` runs, each with the promise to the operator that it protects. All others run in `npm run test:all`. */
export const CORE_CONSOLES: Readonly<Record<string, string>> = {
  'test/integration/api/effects.test.ts': 'a request that says that it only reads changes nothing, whatever its input',
  'test/integration/api/home-and-undo.test.ts':
    'an undo restores exactly what its run changed, and no change of others',
  'test/integration/api/rights.test.ts': 'the published roles grant what plans ask for',
  'test/integration/api/two-consoles.test.ts': 'a second console receives each event of a run once and in order',
  'test/integration/wings/runner/attach/hand-over.test.ts':
    'a run handed to a runner has one driver, and each instance moves once',
  'test/integration/cli/flaky-cloud.test.ts':
    'a request to an API that fails now and then is repeated, and no change is requested twice',
  'test/integration/cli/kill-and-resume.test.ts':
    'a console that is killed at any moment resumes with nothing done twice and nothing left out',
  'test/integration/cli/rescue.test.ts': 'instances of a dead host are rescued once, those of a live host never',
  'test/integration/cli/unresolved-instance.test.ts':
    'an instance that does not move becomes a question, and each answer leads somewhere',
  'test/integration/journal/care.test.ts': 'a journal is imported, pruned and exported in its own folder alone',
  'test/integration/journal/full-disk.test.ts': 'a full disk stops a run and loses no event',
  'test/integration/journal/read-only-console.test.ts': 'a journal of a newer version is shown and never written',
  'test/integration/lies/lying-answers.test.ts': 'false answers of a server never verify a step',
  'test/integration/transient-retry/storms.test.ts':
    'a cloud that fails for minutes and a laptop that sleeps cost nothing but time',
  'test/integration/procedures/mosk-killed.test.ts':
    'a maintenance through the node maintenance API that is killed and resumed makes one request',
  'test/integration/procedures/stuck-migrations.test.ts':
    'a rule or a person decides about a migration that does not end',
  'test/integration/reports/window-report.test.ts': 'a report shows what the journal contains, and can be verified',
  'test/integration/wings/runner/health-server.test.ts':
    'silent connections do not block the health endpoint of a runner',
  'test/integration/wings/runner/killed-runner.test.ts':
    'a runner that is killed leaves its runs to the next one, with nothing done twice',
  'test/integration/secrets/client-errors.test.ts': 'the error of a client contains no secret',
  'test/integration/secrets/contract.test.ts': 'no answer, failure, event, log or journal contains a secret',
  'test/integration/secrets/step-crashes.test.ts': 'a step that crashes shows no secret',
  'test/integration/serve/attacks.test.ts':
    'the server answers only its own page with its key, and no packet stops the console',
  'test/integration/serve/door.test.ts': 'the token of an address opens the console once',
  'test/integration/serve/program-socket.test.ts': 'a program that attaches may ask only what it is allowed to',
  'test/integration/serve/socket.test.ts': 'a socket belongs to the tab whose key opened it',
  'test/integration/serve/tab.test.ts': 'a tab keeps its key to itself',
  'test/integration/wings/notify/webhooks.test.ts':
    'a receiver gets each event once, signed, and again after a failure',
  'test/integration/sunbeam/troubles.test.ts':
    'a failure of Juju, Watcher or Ceph half way is reported, and the run continues',
  'test/integration/updates/published.test.ts': 'a new version whose content is not what its channel says is refused',
  'test/integration/view/live-view.test.ts': 'the screen shows live data, or its age',
  'test/integration/windows/batches.test.ts': 'a batch never takes more nodes than its limits allow',
  'test/integration/windows/two-clouds.test.ts': 'two windows run at once, and a second driver is refused',
  'test/integration/windows/who-may-start.test.ts':
    'a run belongs to its open window; on production a start outside every window needs a reason',
}
