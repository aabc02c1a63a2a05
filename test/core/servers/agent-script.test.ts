import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { versionOf, withAddress } from '../../../src/core/servers/agent-script.ts'

const SHELL = "#!/bin/sh\nversion=1.2.3 x=y\naddress='https://upbeat.example.com/server/TOKEN' dir=''\n"
const POWERSHELL = "$Version = '1'\n$Address = 'https://upbeat.example.com/server/TOKEN'\n"

describe('the script that a server runs', () => {
  const cases: [name: string, address: string, shell: string, powershell: string][] = [
    [
      'holds its address',
      'https://a.example/server/t',
      'https://a.example/server/t',
      'https://a.example/server/t',
    ],
    [
      'quotes it',
      "https://a.example/it's/$(id)/`id`/$&/server/t",
      "https://a.example/it'\\''s/$(id)/%60id%60/$&/server/t",
      "https://a.example/it''s/$(id)/%60id%60/$&/server/t",
    ],
    [
      'makes an address of what is none',
      'https://a.example/a"b c\nd\u2019/t',
      'https://a.example/a%22b%20cd%E2%80%99/t',
      'https://a.example/a%22b%20cd%E2%80%99/t',
    ],
  ]
  for (const [name, address, shell, powershell] of cases) {
    it(name, () => {
      assert.equal(
        withAddress('install', SHELL, address),
        SHELL.replace('https://upbeat.example.com/server/TOKEN', () => shell),
      )
      assert.equal(
        withAddress('install.ps1', POWERSHELL, address),
        POWERSHELL.replace('https://upbeat.example.com/server/TOKEN', () => powershell),
      )
    })
  }

  it('has a version and a place for an address', () => {
    assert.equal(versionOf(SHELL), '1.2.3')
    assert.throws(() => versionOf(''))
    assert.throws(() => withAddress('install', POWERSHELL, 'https://a.example'))
  })
})
