import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readBuildFacts } from './build-facts.ts'
import { stageChart } from './helm-chart.ts'
import { DIST, freshFolder, run, settleModes, settleTimes } from './stage.ts'

// Makes dist/lockkeeper-runner-VERSION.tgz, the Helm chart of the runner, as `helm package` would.
const facts = readBuildFacts(resolve(import.meta.dirname, '..'))
const at = new Date(facts.at)
const root = freshFolder('helm')
stageChart(join(root, 'lockkeeper-runner'), facts.version)
settleModes(root)
settleTimes(root, at)
const tar = join(DIST, 'helm.tar')
const steady = ['--sort=name', `--mtime=@${at.getTime() / 1000}`, '--numeric-owner', '--format=gnu']
run('tar', ['-cf', tar, ...steady, '--owner=0', '--group=0', '-C', root, 'lockkeeper-runner'], 'tar')
const made = join(DIST, `lockkeeper-runner-${facts.version}.tgz`)
writeFileSync(made, gzipSync(readFileSync(tar)))
rmSync(tar)
rmSync(root, { recursive: true })
process.stdout.write(`${made}\n`)
