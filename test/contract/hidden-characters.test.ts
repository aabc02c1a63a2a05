import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { english } from '../../src/core/language/said.ts'
import { urlFault } from '../../src/core/monitors/target.ts'
import { parseFields } from '../../src/core/validation.ts'
import { sentSchemas } from '../support/documents/sent-schemas.ts'
import { sampleOf, sentSchema, textPlaces, withValue } from '../support/documents/text-places.ts'

const TURNED = 'word\u202eword'
const HIDDEN = 'word\u200bword'
const BROKEN = 'word\nword'

/** Texts that may have lines: prose that people write. */
const MULTI_LINE: Record<string, string> = {
  'acknowledgeDrill note': 'a note',
  'acknowledgeIncident note': 'a note',
  'acknowledgeServerIncident note': 'a note',
  'acknowledgeSiteIncident note': 'a note',
  'addIncidentNote text': 'a note',
  'addServerIncidentNote text': 'a note',
  'addSiteIncidentNote text': 'a note',
  'addStatusUpdate body': 'Markdown',
  'createMaintenanceWindow/1 note': 'a note',
  'createMaintenanceWindow/2 note': 'a note',
  'createMaintenanceWindow/3 note': 'a note',
  'createStatusPage description': 'a description',
  'createStatusPost update.body': 'Markdown',
  'createStatusTemplate body': 'Markdown',
  'editStatusUpdate body': 'Markdown',
  'previewStatusPage layout.items.0.group.components.0.description': 'a description',
  'previewStatusPage settings.description': 'a description',
  'previewStatusText body': 'Markdown',
  'saveStatusPageLayout items.0.group.components.0.description': 'a description',
  'snoozeSiteArea reason': 'a reason',
  'updateMaintenanceWindow/1 note': 'a note',
  'updateMaintenanceWindow/2 note': 'a note',
  'updateMaintenanceWindow/3 note': 'a note',
  'updateMonitorNotes notes': 'notes',
  'updateStatusPage description': 'a description',
  'updateStatusTemplate body': 'Markdown',
  'answer answers.0.result.answer.body.text':
    'an answer of a target, which remote probes clean before they send it',
  'results results.0.result.answer.body.text':
    'an answer of a target, which remote probes clean before they send it',
}

/** Texts that are taken as they are, with the reason. One that is shown to others must not be here. */
const EXACT: Record<string, string> = {
  'the setup page password': 'a password, which is only hashed or compared',
  'upbeat user create password': 'a password, which is only hashed or compared',
  'acceptInvitation token': 'a secret link, which is only hashed',
  'addPasskey response.id': 'a key, which the library judges',
  'beginPasskey code': 'a code, which is only compared',
  'beginPasskey password': 'a password, which is only hashed or compared',
  'beginTotp password': 'a password, which is only hashed or compared',
  'changePassword current_password': 'a password, which is only hashed or compared',
  'changePassword password': 'a password, which is only hashed or compared',
  'confirmTotp code': 'a code, which is only compared',
  'createMonitor expected_keyword': 'sent or compared as it is',
  'createMonitor options.base_dn': 'sent or compared as it is',
  'createMonitor options.called_station_id': 'sent or compared as it is',
  'createMonitor options.calling_station_id': 'sent or compared as it is',
  'createMonitor options.community': 'sent or compared as it is',
  'createMonitor options.privacy_password': 'sent or compared as it is',
  'createMonitor options.publish': 'sent or compared as it is',
  'createMonitor options.request_body': 'sent or compared as it is',
  'createMonitor options.query': 'sent or compared as it is',
  'createMonitor options.secrets.name': 'sent or compared as it is',
  'createMonitor options.send': 'sent or compared as it is',
  'createMonitor options.service': 'sent or compared as it is',
  'createMonitor options.shared_secret': 'sent or compared as it is',
  'createMonitor password': 'sent or compared as it is',
  'createMonitor request_headers.name': 'sent or compared as it is',
  'createMonitor url': 'judged by the type of the monitor: urlFault, below',
  'createMonitor username': 'sent or compared as it is',
  'createSite ignored_patterns.0': 'a pattern for addresses',
  'createSite url': 'judged with the address: siteFaults, below',
  'deleteOwnAccount code': 'a code, which is only compared',
  'deleteOwnAccount password': 'a password, which is only hashed or compared',
  'getMonitorReport region': 'found among regions',
  'joinByInvitation password': 'a password, which is only hashed or compared',
  'joinByInvitation token': 'a secret link, which is only hashed',
  'listAccounts search': 'found among names, also older ones',
  'listAuditEntries search': 'found among names, also older ones',
  'listExpiries search': 'found among names, also older ones',
  'listIncidentRows search': 'found among names, also older ones',
  'listMonitorRows search': 'found among names, also older ones',
  'listServers search': 'found among names, also older ones',
  'listSites search': 'found among names, also older ones',
  'listStatusSubscribers search': 'found among names, also older ones',
  'previewInvitation token': 'a secret link, which is only hashed',
  'removeTotp code': 'a code, which is only compared',
  'removeTotp password': 'a password, which is only hashed or compared',
  'renewRecoveryCodes code': 'a code, which is only compared',
  'renewRecoveryCodes password': 'a password, which is only hashed or compared',
  'replaceMonitor expected_keyword': 'sent or compared as it is',
  'replaceMonitor options.base_dn': 'sent or compared as it is',
  'replaceMonitor options.called_station_id': 'sent or compared as it is',
  'replaceMonitor options.calling_station_id': 'sent or compared as it is',
  'replaceMonitor options.community': 'sent or compared as it is',
  'replaceMonitor options.privacy_password': 'sent or compared as it is',
  'replaceMonitor options.publish': 'sent or compared as it is',
  'replaceMonitor options.request_body': 'sent or compared as it is',
  'replaceMonitor options.query': 'sent or compared as it is',
  'replaceMonitor options.secrets.name': 'sent or compared as it is',
  'replaceMonitor options.send': 'sent or compared as it is',
  'replaceMonitor options.service': 'sent or compared as it is',
  'replaceMonitor options.shared_secret': 'sent or compared as it is',
  'replaceMonitor password': 'sent or compared as it is',
  'replaceMonitor request_headers.name': 'sent or compared as it is',
  'replaceMonitor url': 'judged by the type of the monitor: urlFault, below',
  'replaceMonitor username': 'sent or compared as it is',
  'requestEmailChange code': 'a code, which is only compared',
  'requestEmailChange password': 'a password, which is only hashed or compared',
  'setStatusPagePassword password': 'a password, which is only hashed or compared',
  'signIn code': 'a code, which is only compared',
  'signIn password': 'a password, which is only hashed or compared',
  'signInByPasskey response.id': 'a key, which the library judges',
  'signUp password': 'a password, which is only hashed or compared',
  'testMail mail_server.password': 'sent as it is',
  'testMail mail_server.user': 'sent as it is',
  'testMonitorSettings expected_keyword': 'sent or compared as it is',
  'testMonitorSettings options.base_dn': 'sent or compared as it is',
  'testMonitorSettings options.called_station_id': 'sent or compared as it is',
  'testMonitorSettings options.calling_station_id': 'sent or compared as it is',
  'testMonitorSettings options.community': 'sent or compared as it is',
  'testMonitorSettings options.privacy_password': 'sent or compared as it is',
  'testMonitorSettings options.publish': 'sent or compared as it is',
  'testMonitorSettings options.request_body': 'sent or compared as it is',
  'testMonitorSettings options.query': 'sent or compared as it is',
  'testMonitorSettings options.secrets.name': 'sent or compared as it is',
  'testMonitorSettings options.send': 'sent or compared as it is',
  'testMonitorSettings options.service': 'sent or compared as it is',
  'testMonitorSettings options.shared_secret': 'sent or compared as it is',
  'testMonitorSettings password': 'sent or compared as it is',
  'testMonitorSettings request_headers.name': 'sent or compared as it is',
  'testMonitorSettings url': 'judged by the type of the monitor: urlFault, below',
  'testMonitorSettings username': 'sent or compared as it is',
  'updateMonitor expected_keyword': 'sent or compared as it is',
  'updateMonitor options.base_dn': 'sent or compared as it is',
  'updateMonitor options.called_station_id': 'sent or compared as it is',
  'updateMonitor options.calling_station_id': 'sent or compared as it is',
  'updateMonitor options.community': 'sent or compared as it is',
  'updateMonitor options.privacy_password': 'sent or compared as it is',
  'updateMonitor options.publish': 'sent or compared as it is',
  'updateMonitor options.request_body': 'sent or compared as it is',
  'updateMonitor options.query': 'sent or compared as it is',
  'updateMonitor options.secrets.name': 'sent or compared as it is',
  'updateMonitor options.send': 'sent or compared as it is',
  'updateMonitor options.service': 'sent or compared as it is',
  'updateMonitor options.shared_secret': 'sent or compared as it is',
  'updateMonitor password': 'sent or compared as it is',
  'updateMonitor request_headers.name': 'sent or compared as it is',
  'updateMonitor url': 'judged by the type of the monitor: urlFault, below',
  'updateMonitor username': 'sent or compared as it is',
  'updateServiceSettings mail_server.password': 'sent as it is',
  'updateServiceSettings mail_server.user': 'sent as it is',
  'updateSite ignored_patterns.0': 'a pattern for addresses',
  'updateSite url': 'judged with the address: siteFaults, below',
}

describe('no text with characters that hide or turn others gets past the contract', () => {
  const kinds = new Map<string, 'refuses' | 'multi-line' | 'exact'>()
  for (const [name, schema] of sentSchemas()) {
    const shape = sentSchema(schema)
    const sample = sampleOf(shape)
    for (const place of textPlaces(shape)) {
      const takes = (text: string) => {
        const parsed = parseFields(schema, withValue(sample, place, text))
        const isNamed =
          !parsed.ok &&
          Object.keys(parsed.errors).some((field) => `${place.join('.')}.`.startsWith(`${field}.`))
        if (isNamed || !parsed.ok) return !isNamed
        // Some texts are made fit to be shown instead.
        const kept = JSON.stringify(parsed.value)
        return kept.includes(JSON.stringify(text).slice(1, -1))
      }
      const kind = takes(TURNED) || takes(HIDDEN) ? 'exact' : takes(BROKEN) ? 'multi-line' : 'refuses'
      kinds.set(`${name} ${place.join('.')}`, kind)
    }
  }

  it('but in prose of several lines, which refuses all of them except the ends of lines', () => {
    const found = [...kinds].flatMap(([place, kind]) => (kind === 'multi-line' ? [place] : []))
    assert.deepEqual(found.sort(), Object.keys(MULTI_LINE).sort())
  })

  it('but where a text is compared, sent or proved as it is', () => {
    const found = [...kinds].flatMap(([place, kind]) => (kind === 'exact' ? [place] : []))
    assert.deepEqual(found.sort(), Object.keys(EXACT).sort())
  })

  it('and addresses, which are judged by what they are the address of, refuse them too', () => {
    for (const url of ['https://example.com/a\u202egnp.exe', 'https://exa\u200bmple.com/']) {
      const fault = urlFault('http', url)
      assert.match(fault ? english(fault) : '', /must not contain control or invisible characters, got U\+20/)
    }
  })

  it('and all that is sent is looked at', () => {
    assert.ok(kinds.size > 150, String(kinds.size))
    for (const place of ['createMonitor name', 'signUp name', 'createStatusPage name']) {
      assert.equal(kinds.get(place), 'refuses', place)
    }
  })
})
