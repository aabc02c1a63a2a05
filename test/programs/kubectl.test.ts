import assert from 'node:assert/strict'
import { realpathSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { readBlocks } from '../support/documents/docs-blocks.ts'
import { type Manifest, podOf, readManifests } from '../support/documents/manifests.ts'
import { runProgram } from '../support/programs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FOLDER = join(import.meta.dirname, '../../deploy/kubernetes')
const [kustomization] = readManifests('kustomization.yaml')

test('kustomize puts the manifests together, by themselves and below the overlay of the documentation', (context) => {
  const applied = kustomization.resources.flatMap(readManifests)
  const made = kustomize(FOLDER)
  assert.deepEqual(namesOf(made), namesOf(applied))
  assert.deepEqual(imagesOf(made), ['images.example.com/upbeat:0.1.0'])

  const folder = temporaryFolder(context)
  const overlay = readBlocks('docs/containers.md').find(({ lang }) => lang === 'yaml')?.text ?? ''
  const text = overlay.replace('- deploy/kubernetes', `- ${relative(realpathSync(folder), FOLDER)}`)
  writeFileSync(join(folder, 'kustomization.yaml'), text)
  const changed = kustomize(folder)
  assert.deepEqual(namesOf(changed), namesOf(applied))
  assert.deepEqual(imagesOf(changed), ['images.example.org/team/upbeat:0.1.0'])
})

function kustomize(folder: string): Manifest[] {
  const { stdout } = runProgram('kubectl', ['kustomize', folder])
  return parseAllDocuments(stdout).map((document) => document.toJS())
}

function namesOf(list: Manifest[]): string[] {
  return list.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()
}

function imagesOf(list: Manifest[]): string[] {
  const containers = list.flatMap((object) => podOf(object)?.spec.containers ?? [])
  return [...new Set(containers.map(({ image }) => image as string))]
}
