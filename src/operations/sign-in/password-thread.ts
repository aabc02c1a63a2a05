/*
 * The estimate of guesses, in a thread of its own: its dictionaries take half a second to read, and 70 MB.
 */

import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory, type ZxcvbnResult } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as german from '@zxcvbn-ts/language-de'
import * as english from '@zxcvbn-ts/language-en'
import * as spanish from '@zxcvbn-ts/language-es-es'
import * as french from '@zxcvbn-ts/language-fr'
import * as italian from '@zxcvbn-ts/language-it'
import * as dutch from '@zxcvbn-ts/language-nl-be'
import * as polish from '@zxcvbn-ts/language-pl'
import * as portuguese from '@zxcvbn-ts/language-pt-br'
import type { GuessedBy, Guesses } from '../../core/sign-in/password.ts'

export type PasswordQuestion = { id: number; password: string; names: readonly string[] }
export type PasswordAnswer = Guesses & { id: number }

const COMMON_PASSWORDS = 'passwords-common'

/** The dictionaries of words lack what people name here first. */
const TRADE_WORDS =
  `uptime monitoring monitor status statuspage downtime alerting alert healthcheck heartbeat ping
  server website hosting domain webmaster sysadmin devops oncall pagerduty opsgenie grafana prometheus nagios icinga
  zabbix checkmk datadog newrelic splunk kibana elasticsearch logstash kubernetes docker podman proxmox vmware ansible
  terraform jenkins gitlab github bitbucket nginx apache haproxy caddy traefik wordpress nextcloud postgres postgresql
  mysql mariadb mongodb redis rabbitmq kafka debian ubuntu centos fedora redhat windows linux raspberry synology
  cloudflare amazon azure google hetzner digitalocean ovh uptimerobot uptimekuma pingdom statuscake slack telegram discord
  mattermost company firma office intern internal support helpdesk production staging`.split(/\s+/)

const estimator = new ZxcvbnFactory({
  dictionary: {
    [COMMON_PASSWORDS]: common.dictionary[COMMON_PASSWORDS],
    'words-en': english.dictionary['commonWords-en'],
    'first-names-en': english.dictionary['firstnames-en'],
    'words-de': german.dictionary.commonWords,
    'first-names-de': german.dictionary.firstnames,
    'last-names-de': german.dictionary.lastnames,
    'words-es': spanish.dictionary['commonWords-es-es'],
    'first-names-es': spanish.dictionary['firstnames-es-es'],
    'words-fr': french.dictionary['commonWords-fr'],
    'first-names-fr': french.dictionary['firstnames-fr'],
    'words-it': italian.dictionary.commonWords,
    'first-names-it': italian.dictionary.firstnames,
    'words-nl': dutch.dictionary.commonWords,
    'first-names-nl': [...dutch.dictionary.girlsFirstnames, ...dutch.dictionary.boysFirstnames],
    'words-pl': polish.dictionary.commonWords,
    'first-names-pl': [...polish.dictionary.femaleFirstnames, ...polish.dictionary.maleFirstnames],
    'words-pt': portuguese.dictionary['commonWords-pt-br'],
    'first-names-pt': portuguese.dictionary['firstnames-pt-br'],
    'words-of-trade': TRADE_WORDS,
  },
  graphs: common.adjacencyGraphs,
  // Each reading of `p@$$w0rd` is searched on its own: a hundred of them, the default, take twenty times as long.
  l33tMaxSubstitutions: 5,
})

parentPort?.on('message', ({ id, password, names }: PasswordQuestion) => {
  const { guessesLog10, sequence } = estimator.check(password, [...names])
  parentPort?.postMessage({ id, log10: guessesLog10, by: guessedBy(sequence) } satisfies PasswordAnswer)
})

type Match = ZxcvbnResult['sequence'][number]

/** The kind of the longest part that was recognized. */
function guessedBy(sequence: readonly Match[]): GuessedBy {
  const known = sequence.filter(({ pattern }) => pattern !== 'bruteforce' && pattern !== 'separator')
  const [longest] = known.toSorted((a, b) => b.token.length - a.token.length)
  switch (longest?.pattern) {
    case 'repeat':
      return 'repeat'
    case 'spatial':
      return 'keyboard'
    case 'sequence':
      return 'sequence'
    case 'date':
    case 'regex':
      return 'date'
    case 'dictionary':
      if (longest.dictionaryName === 'userInputs') return 'own'
      return longest.dictionaryName === COMMON_PASSWORDS ? 'common' : 'words'
    default:
      return 'words'
  }
}
