import { phrase } from '../../language/phrase.ts'
import { CONNECTED_OVER_TLS, DIALLED, OF_MESSAGES, type TypeEntry } from './entry.ts'

const DATABASE_SETTINGS = {
  url: 'needed',
  username: 'needed',
  password: 'first',
  request_timeout_seconds: 'more',
  ssl_expiry_warning_days: 'more',
} as const

const DATABASE = {
  ...CONNECTED_OVER_TLS,
  icon: 'database',
  group: 'databases',
  // Several queries of one database are several monitors.
  identity: ['url', 'name'],
  settings: DATABASE_SETTINGS,
  // The first value of what a query gives is the answer, and its rows are JSON.
  answer: OF_MESSAGES,
} as const

/** The types that sign in to a database, and may ask it something (`src/probes/databases`). */
export const DATABASE_TYPES = {
  postgresql: {
    ...DATABASE,
    word: 'PostgreSQL',
    title: 'PostgreSQL',
    sentence: phrase('A PostgreSQL server lets you sign in, and answers your query.'),
    place: 40,
    url: {
      ...DIALLED,
      schemes: ['postgres', 'postgresql'],
      ports: { postgres: 5432, postgresql: 5432 },
      example: 'postgresql://db.example.com/shop',
    },
    security: ['auto', 'none', 'starttls', 'implicit'],
    queries: 'sql',
    importNames: { 'uptime-kuma': ['postgres'] },
    example: {
      name: 'Orders',
      url: 'postgresql://db.example.com/shop',
      check_interval_minutes: 5,
      username: 'watcher',
      password: 'secret',
      options: {
        query: "select count(*) from jobs where state = 'stuck'",
        assertions: [{ source: 'answer', comparison: 'less_than', target: 10 }],
      },
    },
  },
  mysql: {
    ...DATABASE,
    word: 'MySQL',
    title: 'MySQL, MariaDB',
    sentence: phrase('A MySQL or MariaDB server lets you sign in, and answers your query.'),
    place: 41,
    url: {
      ...DIALLED,
      schemes: ['mariadb', 'mysql'],
      ports: { mariadb: 3306, mysql: 3306 },
      example: 'mysql://db.example.com/shop',
    },
    security: ['auto', 'none', 'starttls'],
    queries: 'sql',
    importNames: { 'uptime-kuma': ['mysql'] },
    example: {
      name: 'Basket',
      url: 'mysql://db.example.com/shop',
      check_interval_minutes: 5,
      username: 'watcher',
      password: 'secret',
      options: {
        query: 'select max(created_at) > now() - interval 1 hour from orders',
        assertions: [{ source: 'answer', comparison: 'equals', target: 1 }],
      },
    },
  },
  redis: {
    ...DATABASE,
    word: 'Redis',
    title: 'Redis, Valkey',
    sentence: phrase('A Redis or Valkey server answers PING, or your command.'),
    place: 42,
    url: {
      ...DIALLED,
      schemes: ['rediss', 'redis'],
      ports: { redis: 6379, rediss: 6379 },
      example: 'redis://cache.example.com',
    },
    settings: { ...DATABASE_SETTINGS, username: 'more' },
    security: ['none', 'implicit'],
    queries: 'words',
    importNames: { 'uptime-kuma': ['redis'] },
    example: {
      name: 'Queue of mails',
      url: 'rediss://cache.example.com',
      check_interval_minutes: 5,
      password: 'secret',
      options: {
        query: 'LLEN mails',
        assertions: [{ source: 'answer', comparison: 'less_than', target: 1_000 }],
      },
    },
  },
  mongodb: {
    ...DATABASE,
    word: 'MongoDB',
    title: 'MongoDB',
    sentence: phrase('A MongoDB server lets you sign in, and answers ping or your command.'),
    place: 43,
    url: {
      ...DIALLED,
      schemes: ['mongodb+srv', 'mongodb'],
      ports: { mongodb: 27_017, 'mongodb+srv': 27_017 },
      secure: { 'mongodb+srv': ['implicit', 'none'] },
      several: ['mongodb'],
      services: { 'mongodb+srv': '_mongodb._tcp' },
      example: 'mongodb://db.example.com/shop',
    },
    settings: { ...DATABASE_SETTINGS, username: 'first' },
    security: ['none', 'implicit'],
    queries: 'json',
    importNames: { 'uptime-kuma': ['mongodb'] },
    example: {
      name: 'Carts',
      url: 'mongodb://db1.example.com,db2.example.com/shop',
      check_interval_minutes: 5,
      username: 'watcher',
      password: 'secret',
      options: {
        query: '{"count": "carts", "query": {"state": "stuck"}}',
        assertions: [{ source: 'answer', comparison: 'less_than', target: 10 }],
      },
    },
  },
  sqlserver: {
    ...DATABASE,
    word: 'SQL Server',
    title: 'SQL Server, Azure SQL',
    sentence: phrase('A SQL Server lets you sign in, and answers your query.'),
    place: 44,
    url: {
      ...DIALLED,
      schemes: ['mssql', 'sqlserver'],
      ports: { mssql: 1_433, sqlserver: 1_433 },
      example: 'sqlserver://db.example.com/shop',
    },
    security: ['auto', 'none', 'starttls', 'implicit'],
    queries: 'sql that reads',
    importNames: { 'uptime-kuma': ['sqlserver'] },
    example: {
      name: 'Invoices',
      url: 'sqlserver://db.example.com/shop',
      check_interval_minutes: 5,
      username: 'watcher',
      password: 'secret',
      options: {
        query: "select count(*) from invoices where state = 'stuck'",
        assertions: [{ source: 'answer', comparison: 'less_than', target: 10 }],
      },
    },
  },
} as const satisfies Record<string, TypeEntry>
