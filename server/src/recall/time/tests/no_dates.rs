use super::super::DateWords;
use super::REFERENCE;

fn assert_no_dates(questions: &[&str]) {
    let found: Vec<String> = questions
        .iter()
        .filter_map(|question| DateWords::find(question, REFERENCE))
        .map(|date_words| date_words.rest().to_owned())
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn english_words_that_look_like_dates_are_none() {
    assert_no_dates(&[
        "What may I have for breakfast?",
        "May I have your name?",
        "Who may have called?",
        "Which of the 5 may be mine?",
        "Where did the soldiers march?",
        "How long did we march on?",
        "Give me a second",
        "What does April like?",
        "Who may march in June's parade?",
        "Where does June live?",
        "What did August say about the house?",
        "Who reads the Sunday Times?",
        "What did I buy on Black Friday?",
        "Where was the sun when we sat on the mar?",
        "How many of the 2000 people came?",
        "What is 1984 about?",
        "When did James try Cyberpunk 2077?",
        "Who lives at 2020 Main Street?",
        "What costs 2,000 dollars?",
        "What happened at 10:30?",
        "Which version is 1.2.2023.4?",
        "What is on 192.168.1.1?",
        "What did I learn recently?",
        "What do I do every Monday?",
        "What do we do on weekends?",
        "How many days are in a week?",
        "What is my one-year-old's name?",
        "What will happen in 2000 years?",
        "Which month did we move?",
        "How old is she this time?",
        "Is there a fall in prices?",
        "What springs come next?",
        "Where do the winners of 2000 dollars live?",
        "Who walked in 2000 steps?",
        "What happened on September 20, 1565?",
        "According to a 1955 review, who saved?",
        "Call 555-2023-1999",
    ]);
}

#[test]
fn words_of_other_european_languages_that_look_like_dates_are_none() {
    assert_no_dates(&[
        "Ich bin hier, um zu bleiben. Wer ist noch hier?",
        "Was steht in i vår trädgård?",
        "Wie heißt meine Schwester?",
        "Guten Morgen, wie geht es dir?",
        "Was steht vor dem Haus?",
        "Was ist vor allem wichtig?",
        "Welche 2000 Leute kamen?",
        "Jeden Montag gehe ich wohin?",
        "Quelle est la distance de Mars à la Terre ?",
        "Où est la planète mars ?",
        "Qui a été le premier ?",
        "Que fais-je le lundi ?",
        "Combien de personnes ont été invitées ?",
        "¿Dónde vive Julio?",
        "¿Qué pasa en la Plaza de Mayo?",
        "¿Qué marca de coche tengo?",
        "¿Qué haré mañana?",
        "Have I been to Rio de Janeiro?",
        "Onde mora o Marco?",
        "Chi era Marzo?",
        "Cosa fa Sabato nel romanzo?",
        "Wer wohnt im August-Bebel-Weg?",
        "Hur ofta i veckan springer jag?",
        "Che cosa fa di domenica?",
        "Wie woont er in dat huis?",
        "Hoe laat is het morgen?",
        "Vem är sex år gammal?",
        "Кто живёт в этом доме?",
        "Сколько лет моей сестре?",
        "Какой сегодняшний уровень моря?",
        "Gdzie mieszka Maja?",
        "Jaka jest marca samochodu?",
        "Nasıl bir ekim makinesi aldım?",
        "Pazar yeri nerede?",
        "Her pazartesi ne yaparım?",
        "Ποιος είναι ο τρίτος;",
    ]);
}

#[test]
fn words_of_other_languages_that_look_like_dates_are_none() {
    assert_no_dates(&[
        "我喜欢吃什么？",
        "日本的首都是哪里？",
        "我的生日是什么时候？",
        "每天早上我做什么？",
        "我每周一做什么？",
        "做一本日记",
        "月亮有多远？",
        "我们一起去哪里？",
        "两千年前有什么？",
        "五月雨の意味は？",
        "日本の首都はどこですか",
        "月面車の名前は？",
        "三日月はいつ見える？",
        "私の好きな食べ物は何？",
        "2000年前に何があった？",
        "毎週月曜日に何をする？",
        "오늘날의 기술은 무엇인가?",
        "일본의 수도는 어디야?",
        "내가 좋아하는 음식은?",
        "ฉันชอบกินอะไร",
        "ทุกวันฉันทำอะไร",
        "66 ล้านปีก่อนเกิดอะไรขึ้น",
        "Tôi thích ăn gì?",
        "Ngày nay ai dùng nó?",
        "Người Việt Nam 2000 người?",
        "मुझे क्या पसंद है?",
        "हर सोमवार मैं क्या करता हूँ?",
        "ما اسم أبي؟",
        "من مارس الرياضة؟",
        "ماذا حدث في حرب أكتوبر؟",
        "ما هو اليوم العاشر؟",
        "ماذا أحب أن آكل؟",
    ]);
}

#[test]
fn years_of_history_are_words() {
    assert_no_dates(&[
        "What happened in 1793?",
        "What happened on 12 May 1793?",
        "What happened in May 1793?",
        "1497年6月に破門されたのは誰？",
        "Was geschah im 19. Jahrhundert?",
    ]);
}

#[test]
fn a_text_that_is_too_long_is_no_question() {
    let long = format!("yesterday {}", "x".repeat(5000));
    assert!(DateWords::find(&long, REFERENCE).is_none());
}
