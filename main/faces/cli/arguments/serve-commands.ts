import type { CommandSpec } from './argument-specs.ts'

/** The console for a browser of this machine. */
export const serveCommands: readonly CommandSpec[] = [
  {
    path: ['serve'],
    summary: 'the console in a browser of this machine, until Ctrl-C',
    about: [
      'Listens on 127.0.0.1 only. The printed address lets one browser in, once; Enter prints a fresh one.',
      'From elsewhere: `ssh -L 9000:127.0.0.1:PORT bastion`, here with `--port PORT --host-name localhost:9000`, then open the printed address with localhost:9000 in place of 127.0.0.1:PORT.',
    ],
    operands: [],
    flags: [
      {
        name: 'port',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 65_535 },
        help: 'the port to listen on (else any free one)',
      },
      { name: 'no-open', value: { kind: 'switch' }, help: 'only print the address, even where there is a display' },
      {
        name: 'host-name',
        value: { kind: 'text', placeholder: 'NAME:PORT' },
        repeatable: true,
        help: 'another name and port by which browsers reach it, such as the near end of an SSH tunnel',
      },
    ],
    examples: ['serve', 'serve --demo', 'serve --port 8080 --no-open'],
    needs: 'nothing',
    load: async () => (await import('../commands/serve.ts')).serve,
  },
]
