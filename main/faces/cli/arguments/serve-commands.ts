import type { CommandSpec } from './argument-specs.ts'
import { TROUBLE } from './demo-commands.ts'

export const serveCommands: readonly CommandSpec[] = [
  {
    path: ['serve'],
    summary: 'serve the console to a browser on this machine until Ctrl-C',
    about: [
      'Listens on 127.0.0.1 only. The printed address works once, for one browser; press Enter for a new one.',
      'From another machine: run this with `--port PORT --host-name localhost:9000`, there `ssh -L 9000:127.0.0.1:PORT bastion`, then open the printed address with localhost:9000 instead of 127.0.0.1:PORT.',
    ],
    operands: [],
    flags: [
      {
        name: 'port',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 65_535 },
        help: 'the port to listen on (default: any free one)',
      },
      { name: 'no-open', value: { kind: 'switch' }, help: 'only print the address, even if there is a display' },
      {
        name: 'host-name',
        value: { kind: 'text', placeholder: 'NAME:PORT' },
        repeatable: true,
        help: 'another name and port that browsers use, such as the local end of an SSH tunnel',
      },
      { ...TROUBLE, help: `with --demo: ${TROUBLE.help}` },
      {
        name: 'update',
        value: { kind: 'switch' },
        help: 'with --demo: the LCM of demo-mosk starts its update at once',
      },
    ],
    examples: ['serve', 'serve --demo', 'serve --demo --trouble stuck', 'serve --port 8080 --no-open'],
    needs: 'nothing',
    load: async () => (await import('../commands/serve.ts')).serve,
  },
]
