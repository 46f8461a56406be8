use super::assert_days;

const YESTERDAY: &str = "2023-05-16";
const BEFORE_YESTERDAY: &str = "2023-05-15";
const LAST_WEEK: &str = "2023-05-08..2023-05-14";
const LAST_MONTH: &str = "2023-04-01..2023-04-30";
const LAST_YEAR: &str = "2022-01-01..2022-12-31";
const THREE_DAYS_AGO: &str = "2023-05-14";
const TWO_WEEKS_AGO: &str = "2023-04-30..2023-05-06";
const MONDAY: &str = "2023-05-15";
const FRIDAY: &str = "2023-05-12";

#[test]
fn english_words_of_time_are_days_before_the_reference() {
    assert_days(&[
        ("What did I eat yesterday?", YESTERDAY),
        ("Who called the day before yesterday?", BEFORE_YESTERDAY),
        ("What did we talk about this morning?", "2023-05-17"),
        ("Where did I go last week?", LAST_WEEK),
        ("What did Ann tell me last month?", LAST_MONTH),
        ("Where did we spend last year's holiday?", LAST_YEAR),
        ("What did I buy three days ago?", THREE_DAYS_AGO),
        ("What did I buy 2 weeks ago?", TWO_WEEKS_AGO),
        ("What did I start a month ago?", "2023-04-02..2023-05-02"),
        ("What did she say on Monday?", MONDAY),
        ("What did she say last Friday?", FRIDAY),
        ("Whom did we meet on Wednesday?", "2023-05-10"),
        ("Where were we over the weekend?", "2023-05-13..2023-05-14"),
        ("Where were we last weekend?", "2023-05-13..2023-05-14"),
        ("What is planned for next week?", "2023-05-22..2023-05-28"),
        ("What is planned for this Friday?", "2023-05-19"),
        ("Where did we hike last summer?", "2022-06-01..2022-08-31"),
        ("What did I read in the last two weeks?", "2023-05-03..2023-05-17"),
        ("What did I read last May?", "2022-05-01..2022-05-31"),
        ("When did I see the dentist the week before last?", "2023-05-01..2023-05-07"),
    ]);
}

#[test]
fn germanic_words_of_time_are_days_before_the_reference() {
    assert_days(&[
        ("Was habe ich gestern gegessen?", YESTERDAY),
        ("Wer hat vorgestern angerufen?", BEFORE_YESTERDAY),
        ("Wo war ich letzte Woche?", LAST_WEEK),
        ("Was hat Anna letzten Monat erzählt?", LAST_MONTH),
        ("Wo waren wir im letzten Jahr?", LAST_YEAR),
        ("Was habe ich vor drei Tagen gekauft?", THREE_DAYS_AGO),
        ("Was habe ich vor 2 Wochen gekauft?", TWO_WEEKS_AGO),
        ("Was hat sie am Montag gesagt?", MONDAY),
        ("Was hat sie letzten Freitag gesagt?", FRIDAY),
        ("Was haben wir am Wochenende gemacht?", "2023-05-13..2023-05-14"),
        ("Wo waren wir letzten Sommer?", "2022-06-01..2022-08-31"),
        ("Wat heb ik gisteren gegeten?", YESTERDAY),
        ("Wie belde eergisteren?", BEFORE_YESTERDAY),
        ("Waar was ik vorige week?", LAST_WEEK),
        ("Wat kocht ik drie dagen geleden?", THREE_DAYS_AGO),
        ("Wat zei ze op maandag?", MONDAY),
        ("Vad åt jag igår?", YESTERDAY),
        ("Var var jag förra veckan?", LAST_WEEK),
        ("Vad köpte jag för tre dagar sedan?", THREE_DAYS_AGO),
        ("Vad sa hon i måndags?", MONDAY),
        ("Vart åkte vi i fjol?", LAST_YEAR),
    ]);
}

#[test]
fn romance_words_of_time_are_days_before_the_reference() {
    assert_days(&[
        ("Qu'est-ce que j'ai mangé hier ?", YESTERDAY),
        ("Qui a appelé avant-hier ?", BEFORE_YESTERDAY),
        ("Où étais-je la semaine dernière ?", LAST_WEEK),
        ("Qu'a dit Anne le mois dernier ?", LAST_MONTH),
        ("Où étions-nous l'année dernière ?", LAST_YEAR),
        ("Qu'ai-je acheté il y a trois jours ?", THREE_DAYS_AGO),
        ("Qu'a-t-elle dit lundi ?", MONDAY),
        ("Qu'a-t-elle dit vendredi dernier ?", FRIDAY),
        ("Où étions-nous l'été dernier ?", "2022-06-01..2022-08-31"),
        ("¿Qué comí ayer?", YESTERDAY),
        ("¿Quién llamó anteayer?", BEFORE_YESTERDAY),
        ("¿Dónde estuve la semana pasada?", LAST_WEEK),
        ("¿Qué me contó Ana el mes pasado?", LAST_MONTH),
        ("¿Qué compré hace tres días?", THREE_DAYS_AGO),
        ("¿Qué dijo el lunes?", MONDAY),
        ("O que eu comi ontem?", YESTERDAY),
        ("Quem ligou anteontem?", BEFORE_YESTERDAY),
        ("Onde estive na semana passada?", LAST_WEEK),
        ("O que comprei há três dias?", THREE_DAYS_AGO),
        ("O que ela disse na segunda-feira?", MONDAY),
        ("Che cosa ho mangiato ieri?", YESTERDAY),
        ("Chi ha chiamato l'altro ieri?", BEFORE_YESTERDAY),
        ("Dov'ero la settimana scorsa?", LAST_WEEK),
        ("Che cosa ho comprato tre giorni fa?", THREE_DAYS_AGO),
        ("Cosa ha detto lunedì?", MONDAY),
        ("Dove siamo andati l'anno scorso?", LAST_YEAR),
    ]);
}

#[test]
fn slavic_turkish_and_greek_words_of_time_are_days_before_the_reference() {
    assert_days(&[
        ("Что я ел вчера?", YESTERDAY),
        ("Кто звонил позавчера?", BEFORE_YESTERDAY),
        ("Где я был на прошлой неделе?", LAST_WEEK),
        ("Что Анна рассказала в прошлом месяце?", LAST_MONTH),
        ("Куда мы ездили в прошлом году?", LAST_YEAR),
        ("Что я купил три дня назад?", THREE_DAYS_AGO),
        ("Что я купил неделю назад?", "2023-05-07..2023-05-13"),
        ("Что она сказала в понедельник?", MONDAY),
        ("Где мы были прошлым летом?", "2022-06-01..2022-08-31"),
        ("Co jadłem wczoraj?", YESTERDAY),
        ("Kto dzwonił przedwczoraj?", BEFORE_YESTERDAY),
        ("Gdzie byłem w zeszłym tygodniu?", LAST_WEEK),
        ("Co kupiłem trzy dni temu?", THREE_DAYS_AGO),
        ("Co powiedziała w poniedziałek?", MONDAY),
        ("Dün ne yedim?", YESTERDAY),
        ("Evvelsi gün kim aradı?", BEFORE_YESTERDAY),
        ("Geçen hafta neredeydim?", LAST_WEEK),
        ("Üç gün önce ne aldım?", THREE_DAYS_AGO),
        ("Pazartesi günü ne dedi?", MONDAY),
        ("Geçen yaz neredeydik?", "2022-06-01..2022-08-31"),
        ("Τι έφαγα χθες;", YESTERDAY),
        ("Ποιος τηλεφώνησε προχθές;", BEFORE_YESTERDAY),
        ("Πού ήμουν την περασμένη εβδομάδα;", LAST_WEEK),
        ("Τι αγόρασα πριν από τρεις μέρες;", THREE_DAYS_AGO),
        ("Τι είπε τη Δευτέρα;", MONDAY),
    ]);
}

#[test]
fn asian_and_arabic_words_of_time_are_days_before_the_reference() {
    assert_days(&[
        ("我昨天吃了什么？", YESTERDAY),
        ("前天谁打电话来？", BEFORE_YESTERDAY),
        ("我上周去了哪里？", LAST_WEEK),
        ("我上星期去了哪裡？", LAST_WEEK),
        ("安娜上个月说了什么？", LAST_MONTH),
        ("去年我們去了哪裡？", LAST_YEAR),
        ("我三天前买了什么？", THREE_DAYS_AGO),
        ("我3天前買了什麼？", THREE_DAYS_AGO),
        ("我两周前买了什么？", TWO_WEEKS_AGO),
        ("她星期一说了什么？", MONDAY),
        ("她上週五說了什麼？", FRIDAY),
        ("去年夏天我们去了哪里？", "2022-06-01..2022-08-31"),
        ("昨日は何を食べましたか", YESTERDAY),
        ("おととい誰から電話がありましたか", BEFORE_YESTERDAY),
        ("先週はどこへ行った？", LAST_WEEK),
        ("先月アンナは何と言った？", LAST_MONTH),
        ("去年はどこへ旅行した？", LAST_YEAR),
        ("3日前に何を買った？", THREE_DAYS_AGO),
        ("二週間前に何を買った？", TWO_WEEKS_AGO),
        ("月曜日に彼女は何と言った？", MONDAY),
        ("어제 뭐 먹었지?", YESTERDAY),
        ("어제는 뭐 먹었지?", YESTERDAY),
        ("그저께 누가 전화했지?", BEFORE_YESTERDAY),
        ("지난주에 어디 갔지?", LAST_WEEK),
        ("지난달에 안나가 뭐라고 했지?", LAST_MONTH),
        ("작년에 어디로 여행 갔지?", LAST_YEAR),
        ("3일 전에 뭘 샀지?", THREE_DAYS_AGO),
        ("월요일에 뭐라고 했지?", MONDAY),
        ("เมื่อวานฉันกินอะไร", YESTERDAY),
        ("สัปดาห์ที่แล้วฉันไปไหนมา", LAST_WEEK),
        ("เดือนที่แล้วแอนพูดว่าอะไร", LAST_MONTH),
        ("สามวันก่อนฉันซื้ออะไร", THREE_DAYS_AGO),
        ("วันจันทร์เธอพูดว่าอะไร", MONDAY),
        ("Hôm qua tôi ăn gì?", YESTERDAY),
        ("Tuần trước tôi đã đi đâu?", LAST_WEEK),
        ("Ba ngày trước tôi mua gì?", THREE_DAYS_AGO),
        ("Năm ngoái chúng ta đi đâu?", LAST_YEAR),
        ("मैंने पिछले हफ्ते क्या किया?", LAST_WEEK),
        ("मैंने तीन दिन पहले क्या खरीदा?", THREE_DAYS_AGO),
        ("उसने सोमवार को क्या कहा?", MONDAY),
        ("ماذا أكلت أمس؟", YESTERDAY),
        ("من اتصل أول أمس؟", BEFORE_YESTERDAY),
        ("أين كنت الأسبوع الماضي؟", LAST_WEEK),
        ("ماذا قالت آنا الشهر الماضي؟", LAST_MONTH),
        ("ماذا اشتريت قبل ثلاثة أيام؟", THREE_DAYS_AGO),
        ("ماذا اشتريت قبل أسبوعين؟", TWO_WEEKS_AGO),
        ("ماذا قالت يوم الاثنين؟", MONDAY),
    ]);
}
