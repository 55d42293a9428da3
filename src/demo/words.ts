/** Given and family names. Every combination is a plausible, made-up person. */
export const names = {
  given: [
    'Mira',
    'Jonas',
    'Leila',
    'Tomas',
    'Aiko',
    'Pedro',
    'Selin',
    'Noor',
    'Clara',
    'Emil',
    'Yara',
    'Kenji',
    'Ines',
  ],
  family: [
    'Winter',
    'Costa',
    'Demir',
    'Sato',
    'Haddad',
    'Moreau',
    'Lopez',
    'Berg',
    'Rossi',
    'Novak',
    'Silva',
    'Klein',
  ],
} as const;

/** Sentences of each language: any opening goes with any ending. */
export const languages = [
  {
    code: 'en',
    bio: 'Walks, maps and too much tea.',
    openings: ['Good morning from the harbour,', 'Nobody told me that', 'On the train home and'],
    endings: [
      'the starlings are dancing again.',
      'the bakery opens at five.',
      'the light is wonderful today.',
    ],
    tags: ['birds', 'morning', 'travel'],
  },
  {
    code: 'es',
    bio: 'Café, libros y paseos largos.',
    openings: ['Esta mañana en el mercado', 'Desde la ventana', 'Después de la lluvia'],
    endings: ['todo huele a naranjas.', 'se oye cantar a los vecinos.', 'las calles brillan como espejos.'],
    tags: ['lluvia', 'ciudad', 'domingo'],
  },
  {
    code: 'fr',
    bio: 'Je collectionne les cartes postales.',
    openings: ['Ce soir au bord du canal', 'Dans le petit jardin', 'Avant le premier café'],
    endings: [
      'les hirondelles sont revenues.',
      'tout le monde parle de la neige.',
      'il fait un silence magnifique.',
    ],
    tags: ['jardin', 'hiver', 'lecture'],
  },
  {
    code: 'de',
    bio: 'Fahrrad, Brot und Bücher.',
    openings: ['Heute früh am Fluss', 'Auf dem Weg zur Arbeit', 'Gestern im Konzert'],
    endings: [
      'war der Nebel ganz dicht.',
      'habe ich einen Eisvogel gesehen.',
      'wollte niemand nach Hause gehen.',
    ],
    tags: ['fahrrad', 'musik', 'herbst'],
  },
  {
    code: 'pt',
    bio: 'Praia, bola e samba.',
    openings: ['Hoje na praia', 'Do alto do morro', 'Com os meus irmãos'],
    endings: ['vimos golfinhos bem perto.', 'a festa começou cedo.', 'o pôr do sol demorou a acabar.'],
    tags: ['praia', 'futebol', 'festa'],
  },
  {
    code: 'tr',
    bio: 'Çay, deniz ve kediler.',
    openings: ['Bu sabah vapurda', 'Balkondan bakınca', 'Dün akşam sahilde'],
    endings: ['martılar simit bekliyordu.', 'bütün şehir ışıl ışıldı.', 'çok güzel bir şarkı duydum.'],
    tags: ['deniz', 'kedi', 'akşam'],
  },
  {
    code: 'ja',
    bio: '写真と散歩が好きです。',
    openings: ['今朝の公園で、', '仕事の帰り道に、', '駅前の喫茶店で、'],
    endings: ['きれいな鳥を見ました。', '懐かしい友達に会いました。', '美味しいコーヒーを飲みました。'],
    tags: ['写真', '散歩', '朝'],
  },
  {
    code: 'ar',
    bio: 'أحب القراءة والسفر.',
    openings: ['هذا الصباح في السوق', 'من نافذة القطار', 'بعد صلاة العصر'],
    endings: [
      'كانت رائحة الخبز في كل مكان.',
      'رأيت البحر لأول مرة هذا العام.',
      'جلسنا نشرب الشاي مع الجيران.',
    ],
    tags: ['سفر', 'صباح', 'كتب'],
  },
] as const;

/** The cities where tweets of the demo are posted. */
export const cities = [
  { latitude: 51.5074, longitude: -0.1278, country: 'United Kingdom' },
  { latitude: 48.8566, longitude: 2.3522, country: 'France' },
  { latitude: 52.52, longitude: 13.405, country: 'Germany' },
  { latitude: 41.0082, longitude: 28.9784, country: 'Türkiye' },
  { latitude: 35.6762, longitude: 139.6503, country: 'Japan' },
  { latitude: 30.0444, longitude: 31.2357, country: 'Egypt' },
  { latitude: -22.9068, longitude: -43.1729, country: 'Brazil' },
  { latitude: 19.4326, longitude: -99.1332, country: 'Mexico' },
] as const;

/** The parts of the demo's articles and comments: subjects, events, remarks and answers. Every combination makes sense. */
export const newsParts = {
  subjects: [
    { what: 'The harbour library', tag: 'books' },
    { what: 'The night train', tag: 'travel' },
    { what: 'The starling count', tag: 'birds' },
    { what: 'The bakery on the canal', tag: 'food' },
    { what: 'The town orchestra', tag: 'music' },
    { what: 'The old observatory', tag: 'science' },
    { what: 'The rowing club', tag: 'sports' },
    { what: 'The winter market', tag: 'trade' },
  ],
  events: [
    'opens again after the flood',
    'asks for volunteers',
    'moves across the river',
    'is a hundred years old',
    'has never seen so many visitors',
    'gets a new roof',
    'is looking for a name',
  ],
  remarks: [
    'At last!',
    'I was there, and it was wonderful.',
    'Who is going to pay for that?',
    'My grandmother worked there.',
    'Is there more about this somewhere?',
    'See you there on Sunday.',
    'They said the same last year.',
  ],
  answers: [
    'Thank you, I have corrected it.',
    'There will be more about it tomorrow.',
    'I asked, and nobody knows yet.',
    'Pictures follow.',
  ],
} as const;
