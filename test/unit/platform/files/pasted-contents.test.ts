import { expect, test } from 'vitest'
import { isContents } from '../../../../main/platform/files/pasted-contents.ts'

test.each([
  ['a JSON web token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJldmEifQ.c2ln'],
  ['PEM', '-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n'],
  ['a token of OpenShift', 'sha256~W3Jv0q4uM9T8kYbSxJqW1v2lq0c5fXzQy7p_h3nRtAo'],
  ['a token of Rancher', 'kubeconfig-u-x7k2p:9qzv5w8rjt4mh2bdn6cl7gfsx3pky8wr'],
  ['a token of kubeadm', '07401b.f395accd246ae52d'],
  ['a UUID', '31ada4fd-adec-460c-809a-9e56ceb75269'],
  ['bytes in hex', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
  ['bytes in base64', 'Zm9vYmFyYmF6cXV4L3Rva2Vu/Kx9+q0w=='],
  ['bytes in base64 that begin with a slash', '/9j4AAQSkZJRgABAQEASABIAAD2w=='],
  ['letters alone', 'qzvwrjtmhbdncfgsxkpylqwertzui'],
])('%s is the thing itself and no path', (_, text) => {
  expect(isContents(text)).toBe(true)
})

test.each([
  'token',
  'cluster-east-1.token',
  'token-of-cluster-east-10',
  'secrets/production/token',
  'secrets/31ada4fd-adec-460c-809a-9e56ceb75269/ca.crt',
  './31ada4fd-adec-460c-809a-9e56ceb75269',
  '../keys/9f86d081884c7d659a2feaa0c55ad015',
  '~/.kube/9f86d081884c7d659a2feaa0c55ad015',
  '/var/run/secrets/kubernetes.io/serviceaccount/token',
  '/var/lib/kubelet/pki/9f86d081884c7d659a2feaa0c55ad015',
  'C:\\Users\\eva\\.kube\\token',
  'kubernetesServiceAccountToken',
])('%s may be a path', text => {
  expect(isContents(text)).toBe(false)
})
