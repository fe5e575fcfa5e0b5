import type { Lexicon } from './lexicon.ts'

/** Languages of which only little is known: one that is known better gets a file of its own. */
export const OTHER_LANGUAGES: readonly Lexicon[] = [
  {
    code: 'pl',
    tells: { long: 'nie jest się na do że dla przez oraz są jak tego przy który od po czy lub także tym' },
  },
  {
    code: 'sv',
    tells: { long: 'och att det som är för inte med av på den till har om ett eller från vi kan ska' },
    search: { stopWords: `hur många mycket vart vems` },
  },
  { code: 'da', search: { stopWords: `hvem hvilken hvilket hvilke hvorfor hvordan hvornår hvormange` } },
  { code: 'no', search: { stopWords: `når hvilket hvilke hvorfor` } },
  { code: 'fi', search: { stopWords: `miten milloin miksi kuinka paljon montako` } },
  { code: 'hu', tells: { letters: 'őű' } },
  {
    code: 'ro',
    requests: {
      hello: 'bună salut',
      courtesies: `
        (bună|salut|salutare|bun(a|ă) (ziua|seara|dimineața)|dragi~|dragă|stimat~)[ {whom}]
        [am |aș avea ](o|un) [mică ]*(întrebare|nelămurire)[ scurtă| rapidă| {whom}]
        (scuze|scuzați|scuzați-mă|îmi cer scuze|pardon|iertați)[ (dacă|că|pentru|de) {clause}], sper{clause}
        (mulțumesc|mersi|mulțumim|vă mulțumesc|îți mulțumesc)[ {rest}], [cu |toate ]*(respect|cele bune), o zi (bună|frumoasă|plăcută)[ {rest}], vă rog`,
      openings: `(știe|știți|știi) (cineva|cumva|careva), (poate|puteți|îmi puteți|îmi poate)[ cineva]* spune, aș vrea să (știu|întreb), vreau să știu`,
    },
    tells: { letters: 'ăţ' },
    search: {
      stopWords: `a fi fost era erau și în să cele cea cei cui câți câte câtă cât care căror când unde cum cine într dintr printr despre
        există s i își va vor după fel ani ar are numește numea trebuie`,
    },
  },
  {
    code: 'ru',
    documents: { abbreviations: 'стр тел г им' },
    search: {
      stopWords: `сколько каком какие каким какое какого какому какую каких какими кого кому кем чему чём каков какова каково каковы
        который которая которое которые которого которой которых котором которую которым почему является являются называется
        называются называлась назывался находится находятся такое такие такая это эта эти быть будут были имеет могут может
        согласно также который либо`,
    },
  },
  {
    code: 'tr',
    requests: {
      hello: 'merhaba selam',
      courtesies: `
        [herkese |hepinize ](merhaba~|selam~|günaydın|iyi (günler|akşamlar|sabahlar|çalışmalar))[ {whom}]
        [{whom} ](bir|kısa|küçük|ufak)[ bir] (sorum|soru|şey)[ var| vardı| olacak][ {whom}]
        [{rest} ](kusura bakmayın|kusura bakma|özür dilerim|pardon|affedersiniz)[ ama| arkadaşlar], umarım{clause}
        [{whom} ](teşekkür~|sağ ol~|sağol~)[ {whom}], saygılar~, selamlar~, lütfen, acil`,
      openings: `(bilen|bilgisi olan) var mı, merak ediyorum, (öğrenmek|sormak) istiyorum`,
    },
    tells: {
      long: 've bir bu için ile olarak daha çok olan gibi kadar sonra ancak ise değil veya her en var',
      letters: 'ığ',
    },
    search: {
      stopWords: `nedir neydi nelerdir neyi neye neyin kaç kaçta kimdir kimdi kimin kimler kimlere hangisi hangileri zaman tür türü
        kadar bulunmaktadır vardır yapmıştır almıştır olmuştur edilmiştir etmiştir nereden neresi neresidir nelere neler mıdır
        midir mudur müdür mıydı miydi sonra önce arasında arasındaki üzerinde hakkında sırasında tane olan`,
      joinedEndings: `[y|n|s](ı|i|u|ü|a|e), [y|n|s|ı][ı|i|u|ü]n(ı|i|u|ü|a|e)[n], (d|t)(a|e)[n], (d|t)(a|e)ki~, n(d|t)(a|e)[n], [y]l(a|e),
      (ı|i|u|ü)n, (d|t)(ı|i|u|ü)r, l(a|e)r~, l(ı|i|u|ü)~, s(ı|i|u|ü)n~, c(a|e)`,
    },
  },
  { code: 'ar', search: { stopWords: `كم متى ماذا لماذا كيف أية أيه يتم تم أنه أنها هل` } },
  {
    code: 'el',
    search: {
      stopWords: `το τη τησ τα τουσ τισ τι τησ των στα στουσ στισ ενα ενασ μια ενοσ μιασ ειναι ηταν εχει εχουν ειχε ειχαν ποσο ποσα ποσοι
        ποσεσ ποσουσ ποιον ποιαν ποιου ποιασ που ποτε πωσ γιατι οταν αυτη αυτον αυτου αυτησ μεταξυ μπορει μπορουν δεν οτι πιο
        μια μιασ ή επισησ οποιο οποια οποιοσ οποιοι υπαρχει υπαρχουν γινει γινεται`,
    },
  },
  {
    code: 'hi',
    search: {
      stopWords: `के में है का क्या की किस को था थी थे ने से हैं लिए कौन एक गया गई गए कब और कितने कितनी कितना कहाँ कहां किसने किसके किसकी
        किसका किन कैसे क्यों जाता जाती जाते करती किए दौरान बीच रूप कौनसी सा सी अधिक द्वारा हो गये होगा यहां वहां उन्होंने इन्होंने`,
    },
  },
  {
    code: 'vi',
    requests: {
      hello: 'chào',
      courtesies: `
        [xin ]chào[ {whom}], kính chào[ {whom}]
        [{whom} ](cho (mình|em|tôi)|(mình|em|tôi)|xin)[ muốn| xin| có| được]* (hỏi|câu hỏi)[ nhanh| chút| một chút][ {whom}]
        (xin lỗi|thứ lỗi)[ (nếu|vì|đã|cho|làm) {clause}| mọi người], [{whom} ](cảm ơn|cám ơn)[ {rest}], hy vọng{clause}, mong {rest}, trân trọng`,
      openings: `(có )*ai biết, (mọi người|anh chị|các bạn|bạn) (có biết|cho hỏi|cho mình hỏi), cho (mình|em|tôi) hỏi, làm ơn cho (mình|tôi) biết`,
    },
    tells: { letters: String.raw`\u1ea0-\u1ef9ơưđ` },
    search: {
      stopWords: `nào gì của là được đã có trong các bao nhiêu khi ở ai một cho vào và những với để ra đến về từ không thế nhất tại cái
        đâu trên bị làm mà lại như này đó thì cũng rằng sẽ đang vì sao theo hay hoặc bởi do sau trước giữa ngoài dưới chưa hãy mấy
        rất nhưng nên bằng`,
    },
  },
  {
    code: 'th',
    search: {
      stopWords: `ใด ที่ ใน ของ การ อะไร เป็น มี ได้ ว่า คือ ให้ ใคร กับ จาก เมื่อ อยู่ ความ ขึ้น และ กี่ ถูก มา จะ ไม่ ไป อย่างไร เรียก เท่าไร เท่าไหร่ เท่าใด ซึ่ง
        โดย ไหน ด้วย ต้อง นี้ นั้น เพื่อ แล้ว หรือ แต่ ก็ คน สิ่ง แบบ อย่าง ทำไม เท่า บ้าง หรือไม่ ต่อ ตาม แห่ง ทํา ทำ ผู้ กัน`,
    },
  },
  {
    code: 'zh',
    // Simplified and traditional.
    search: {
      askingPairs: '什么 什麼 甚麼 多少 哪 谁 誰 如何 怎 吗 嗎 呢 是否 为什 為什 么时 麼時',
      grammar: '的了是在和与與及或也都而被把从從到对對于於之其这這那些个個有为為以等何几幾么麼',
    },
  },
  { code: 'ja', documents: { headingStyles: '見出し' } },
]
