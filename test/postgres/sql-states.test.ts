import assert from 'node:assert/strict'
import { it } from 'node:test'
import { faultOf, reasonOfFault, type StatementFault } from '../../src/postgres/sql-states.ts'

/** Each of https://www.postgresql.org/docs/current/errcodes-appendix.html that tells something new. */
const FAULTS: [StatementFault, string[]][] = [
  ['passing', ['08006', '08P01', '25006', '25P03', '28P01', '28000', '3D000', '40001', '40P01', '53000']],
  ['passing', ['53100', '53200', '53300', '55006', '55P03', '57014', '57P01', '57P03', '57P05', '58030']],
  ['passing', ['XX000', 'XX001', 'F0001', '72000', 'EPIPE', 'ECONNREFUSED', '']],
  ['session', ['0A000', '26000', '34000', '42P03', '42P05']],
  [
    'data',
    ['21000', '22001', '22021', '22P02', '22P05', '23502', '23503', '23505', '23514', '44000', '54000'],
  ],
  ['lasting', ['3F000', '42501', '42601', '42703', '42704', '42883', '42P01', '42P10', '42804', 'P0001']],
]

it('each SQLSTATE says whether trying again can help, and what is unknown is tried again', () => {
  for (const [fault, codes] of FAULTS)
    for (const code of codes) assert.equal(faultOf(Object.assign(new Error('no'), { code })), fault, code)
  assert.equal(faultOf(new Error('Connection terminated unexpectedly')), 'passing')
  assert.equal(faultOf(undefined), 'passing')
})

it('an error of our own code is blamed on the finding that meets it', () => {
  for (const Bug of [TypeError, RangeError, ReferenceError, SyntaxError])
    assert.equal(faultOf(new Bug('no')), 'data')
})

it('a reason for people has the SQLSTATE, where there is one', () => {
  const denied = Object.assign(new Error('permission denied for table checks'), { code: '42501' })
  assert.equal(reasonOfFault(denied), 'permission denied for table checks (42501)')
  assert.equal(reasonOfFault(Object.assign(new Error('lost'), { code: 'ECONNRESET' })), 'lost')
  assert.equal(reasonOfFault('lost'), 'lost')
})
