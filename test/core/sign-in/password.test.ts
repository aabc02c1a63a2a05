import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { english } from '../../../src/core/language/said.ts'
import { type EstimateGuesses, Password, passwordFault } from '../../../src/core/sign-in/password.ts'
import { estimateGuesses } from '../../../src/operations/sign-in/password-guesses.ts'
import { sample } from '../../support/at-length.ts'

const NAMES = ['ada.king@analytic.example.com', 'Ada Lovelace', 'Engine Room', 'Upbeat', 'watch.example.org']

const REFUSED: Record<string, string[]> = {
  'the same characters': ['aaaaaaaa', '        ', '\t \t \t \t ', '--------', 'abababababab', 'abcabcabcabc'],
  'the same characters, apart': ['password password', '2 2 2 2 2 2 2 2'],
  'its characters follow, apart': ['a b c d e f g h', 'H-g-f-e-d-c-b-a'],
  'it is a common password, disguised': ['p a s s w o r d', '1 2 3 4 5 6 7 8', '1.2.3.4.5.6', 'pässwörd1'],
  'must be harder to guess, a month among figures': [
    ...['December2026!', '5. Dezember 1987', '05.Dez.1987', '5december1987', '8.März1991', 'Nov28.2026'],
  ],
  'the same characters, long': ['passpasspass', 'a1a1a1a1', '1111111a', '😀'.repeat(8), 'ab'.repeat(500)],
  'its keys': ['qwertz123', 'yxcvbnm123', 'asdfghjklö', 'qwertzuiop'],
  'its characters follow': ['abcdefgh', 'αβγδεζηθ', 'ABCDEFGHIJ'],
  'it is a common password': [
    ...[
      'password',
      'PassWord1',
      'ｐａｓｓｗｏｒｄ',
      'trustno1',
      'drowssap',
      '87654321',
      '12345678910',
      'P@ssw0rd123',
    ],
    ...['password1234', 'password2024', 'Password1!', 'letmein123', 'iloveyou2', 'monkey123', 'dragon2020'],
    ...[
      'football99',
      'superman12',
      'q1w2e3r4',
      '1qaz2wsx3edc',
      '!QAZ2wsx',
      'zaq12wsx',
      'abcd1234',
      'welcome1',
    ],
    ...['changeme1', 'test1234', 'admin2024', 'user1234', 'charlie1', 'starwars77', 'passwort123'],
    ...['fussball11', 'berlin2024', 'Michael1985', 'jessica1990', 'nimda321', 'Summer2023!', 'administrator'],
  ],
  'must be harder to guess, keys of other layouts': [
    ...['йцукенгш', 'фывапролд123', 'ЯЧСМИТЬБ', '1й2ц3у4к', 'ψωβνμκλφ', 'σδφγηξκλ', 'שדגכעיחל', 'ضصثقفغعه'],
    ...['azertyuiop', 'aoeuidhtns', 'gfhjkm123', 'ghbdtn2026'],
  ],
  'must be harder to guess, in other letters': [
    'пароль123',
    'Пароль2026!',
    'привет1234',
    'наташа1985',
    'Марина77!',
  ],
  'must be harder to guess, without the year and its signs': [
    ...['Herbst2026!', 'ChangeMe2026!', 'Uptime2026!', 'Monitoring2026!', 'Server2026!!', 'Welcome2026!!'],
    ...['Company2026!', 'Oktober2026!', '2026Herbst!', 'Herbst#2026#', 'Hello.World_2026', '!2027!Winter!'],
    ...[
      'Kubernetes2026!',
      'Grafana2026!',
      'Nagios2026!',
      'Zabbix123!',
      'Prometheus1!',
      'любовь2026!',
      'Wien1998-2026',
    ],
  ],
  'must be harder to guess, words of other languages': [
    ...['Automne2026!', 'Otoño2026!', 'Primavera2026!', 'Outono2026!!', 'Segreteria2026', 'Wachtwoord1!'],
    ...['Motdepasse1!', 'Contraseña1!', 'Jesień2026!', 'Bienvenue123', 'Settembre26!', 'Herfst2026!'],
  ],
  'dates and years': ['19871205', '12.05.1987', '05/12/1987'],
  'few words and names': [
    'Sommer2024!',
    'Winter2025',
    'schatz123',
    'geheim123',
    'sonnenschein1',
    'hundkatze',
    'katzehund7',
  ],
  'without names that others know': [
    ...['Ada Lovelace', 'ada-lovelace!', 'AdaLovelace1815', 'Ada.King', 'ada.king@analytic.example.com'],
    ...['adakinganalyticexamplecom', 'my ADA.KING@analytic.example.com 1', 'engineroom2026', 'Engine-Room!!'],
    ...['upbeat123', 'upbeat-engine-12', 'Lovelace1815!', 'watch.example.org', 'l-o-v-e-l-a-c-e1'],
  ],
}

const TAKEN = [
  ...['jY8!kd02', 'k7#mPq2v', 'vB4nQz8w', 'T7r!9uWq', 'oQ2!pLx#', 'ghlvnrtw', 'mzkqpvbt', '9f8a7c6d'],
  ...[
    'correct horse battery staple',
    'correct horse',
    'a good password',
    'a long password',
    'another long password',
  ],
  ...['open sesame please', 'moonlit-cactus-harbor', 'three brown foxes', 'eight little words here'],
  ...['my dog eats 7 shoes', 'c0ffee-machine-loud', 'xkcd-tr0mbone-9', 'Tr0ub4dor&3', 'naïve-café-tümpel'],
  ...[
    'blauer Kaffee tanzt',
    'grüne Wolke 47 Brot',
    'Ich esse gern Kuchen am Montag',
    'Fahrrad.Lampe.Zwiebel',
  ],
  ...['правильный конь', 'コーヒー大好き猫と', '正確な馬電池ホチキス', 'الحصان الصحيح بطارية'],
  ...[
    'Ada Lovelace wrote the first program',
    'upbeat jY8!kd02',
    'ada kT9#x2Lq',
    'the password of the operator',
  ],
  ...[
    'nevergonnagiveyouup',
    'thequickbrownfox',
    'a long password of 2026',
    '🦊 Wald Regen Schuh',
    '8Xq!zR2-vV0p',
  ],
  ...[
    'vier Wörter reichen aus',
    'Mai 83-71 / 22.94-06',
    'x k 9 q v 3 z t w',
    '2f6c1a7e-93b4-4d58',
    'Zug um 7:43 nach Prag',
    'kein Bier vor vier?',
  ],
  ...['correct horse 2026', '2026 moonlit cactus', 'jY8!kd02 2026', 'зелёный чайник поёт', 'кьъфыщлй'],
  ...['le chat dort sur le toit', 'cuatro palabras al azar', 'quattro parole a caso', 'Cztery losowe słowa'],
  `${'correct horse battery staple '.repeat(30)}`,
]

describe('a password that is being set', () => {
  const sizes: [password: string, isTaken: boolean][] = [
    ['1234567', false],
    ['12345678', true],
    ['😀'.repeat(7), false],
    ['😀'.repeat(8), true],
    ['😀'.repeat(1_024), true],
    ['😀'.repeat(1_025), false],
    ['pass\0word', false],
  ]
  for (const [password, isTaken] of sizes) {
    const { length } = [...password]
    test(`of ${length} code points (${JSON.stringify(password.slice(0, 8))}) has ${isTaken ? 'a' : 'no'} length that is taken`, () => {
      assert.equal(Password.safeParse(password).success, isTaken)
    })
  }

  for (const [why, passwords] of Object.entries(REFUSED)) {
    test(`is refused: ${why}`, async () => {
      const [reason = ''] = why.split(',')
      for (const password of sample(passwords, 4)) {
        const said = await passwordFault(password, NAMES, estimateGuesses)
        const fault = said ? english(said) : ''
        assert.ok(
          fault.startsWith('must be harder to guess: ') && fault.includes(reason),
          `${password}: ${fault}`,
        )
      }
    })
  }

  test('is taken if it takes more guesses than anybody makes', async () => {
    for (const password of sample(TAKEN, 12)) {
      assert.equal(await passwordFault(password, NAMES, estimateGuesses), null, password)
    }
  })

  test('has enough samples', () => {
    assert.ok(Object.values(REFUSED).flat().length >= 60)
    assert.ok(TAKEN.length >= 40)
  })

  test('is estimated by its beginning only, as the time of an estimate grows faster than its length', async () => {
    const lengths: number[] = []
    const estimate: EstimateGuesses = async (password) => {
      lengths.push([...password].length)
      return { log10: 20, by: 'words' }
    }
    await passwordFault(`Ada ${'p@$$w0rd'.repeat(128)}`, NAMES, estimate)
    assert.deepEqual(lengths, [48, 48])
  })

  test('is estimated at most eight times, whatever it is made of', async () => {
    let count = 0
    const estimate: EstimateGuesses = async () => {
      count++
      return { log10: 20, by: 'words' }
    }
    for (const password of ['2026!пä$$w0rdй1!1999', 'п-ä-й-ά-2026', '2026-ö-2026', '5.März.2026', 'ה.я.έ']) {
      count = 0
      await passwordFault(password, [], estimate)
      assert.ok(count <= 8, `${password}: ${count}`)
    }
  })

  test('is compared with many long names while it has signs of all kinds', async () => {
    const names = Array.from(
      { length: 100 },
      (_, index) => `${index} ${'maximilian bartholomew '.repeat(10)}`,
    )
    const estimate: EstimateGuesses = async () => ({ log10: 20, by: 'words' })
    // A pattern for each name took minutes.
    for (const password of ['😀'.repeat(1_024), 'm-a-x-'.repeat(170), 'maximilia'.repeat(110), 'пароль 🦊']) {
      assert.equal(await passwordFault(password, names, estimate), null, password.slice(0, 20))
    }
  })

  test('is freed of names that are written apart, in any case', async () => {
    const rests: string[] = []
    const estimate: EstimateGuesses = async (password, parts) => {
      if (parts.length === 0) rests.push(password)
      return { log10: 20, by: 'words' }
    }
    for (const password of [
      'x😀L-o-V.. e_L a C e😀y',
      'adaLOVELACEada7 9',
      'lovelac lovelace 8',
      'l----ovelace 7',
    ]) {
      await passwordFault(password, ['Ada Lovelace'], estimate)
    }
    assert.deepEqual(rests, ['x😀😀y', '7 9', 'lovelac  8'])
  })

  test('is no worse for an account that is named by signs alone', async () => {
    assert.equal(await passwordFault('a good password', ['-@x.example', '…'], estimateGuesses), null)
  })
})
